source @file symbols.kak@
set-option global symbols_program @program@
