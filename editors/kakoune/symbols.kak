# The symbols of the buffer's file as an outline, or another format, in the buffer *symbols*; <ret> on a row goes to its symbol. The program
# `symbols` reads the file and asks its language server; kak-lsp is not needed.

declare-option -docstring 'the program: a name on the PATH, or a path' str symbols_program symbols
declare-option -docstring 'what :symbols shows when it is given no format: table, tree, outline, tsv, toon, packed; auto is the outline with kinds spelled out' str symbols_format auto

# The buffer *symbols*: its file, the format, the timestamp of the file's buffer, and the directory with the answer (`answer` has
# the positions of rows at the starts of lines, `text` does not).
declare-option -hidden str symbols_file
declare-option -hidden str symbols_shown
declare-option -hidden str symbols_timestamp
declare-option -hidden str symbols_folder

define-command symbols -params .. -docstring %{
    symbols [<format>] [<option of the program>...]: show the symbols of this file in the buffer *symbols*

    Formats: table, tree, outline, tsv, toon, packed. Options: see symbols --help, for instance --no-hover, --children no,
    --kind Class,Method, --match REGEX.
} -shell-script-candidates %{
    printf '%s\n' table tree outline tsv toon packed --no-hover --children --kind --match
} %{
    evaluate-commands %sh{
        fail() { printf "fail 'symbols: %s'" "$1"; exit; }
        format=$kak_opt_symbols_format
        case "$1" in
            (''|-*) ;;
            (*) format=$1; shift ;;
        esac
        names=
        [ "$format" != auto ] || { format=outline; names=--kind-names; }
        case "$format" in
            (table|tree|outline|tsv|toon|packed) ;;
            (*) fail 'there is no such format; there are table, tree, outline, tsv, toon and packed' ;;
        esac
        [ -f "$kak_buffile" ] || fail 'this buffer has no file'
        [ "$kak_modified" = false ] || fail 'the file lacks what was changed in the buffer; write it first'
        command -v "$kak_opt_symbols_program" >/dev/null ||
            fail 'the program is not found; install it, or say where it is: set-option global symbols_program /path/to/symbols'
        folder=$(mktemp -d "${TMPDIR:-/tmp}/kak-symbols.XXXXXXXX") || fail 'no folder could be made for the answer'

        # In the background: the server may take long.
        {
            "$kak_opt_symbols_program" --format "$format" $names --positions "$@" -- "$kak_buffile" >"$folder/answer" &&
                sed "s/^[0-9]*:[0-9]*$(printf '\t')//" "$folder/answer" >"$folder/text" &&
                result=symbols-show || result=symbols-tell
            quoted() { printf "'"; printf %s "$1" | sed "s/'/''/g"; printf "' "; }
            command="$result $(quoted "$folder")$(quoted "$format")$(quoted "$kak_buffile")$kak_timestamp"
            printf 'evaluate-commands -try-client %s %s\n' "$(quoted "$kak_client")" "$(quoted "$command")" | kak -p "$kak_session"
        } >/dev/null 2>"$folder/error" </dev/null &
        printf 'echo symbols: asking the language server'
    }
}

# symbols-tell FOLDER …: fails with the program's last message.
define-command -hidden symbols-tell -params .. %{
    evaluate-commands %sh{
        message=$(tail -n 1 "$1/error" | sed "s/'/''/g")
        rm -rf "$1"
        printf "fail '%s'" "${message:-symbols: no answer}"
    }
}

# symbols-show FOLDER FORMAT FILE TIMESTAMP: shows the answer.
define-command -hidden symbols-show -params 4 %{
    try %{ delete-buffer! *symbols* }
    edit! -scratch *symbols*
    set-option buffer symbols_folder %arg{1}
    set-option buffer symbols_shown %arg{2}
    set-option buffer symbols_file %arg{3}
    set-option buffer symbols_timestamp %arg{4}
    # A new buffer has one line, which is deleted.
    execute-keys '!cat "$kak_opt_symbols_folder/text"<ret>gjxdgg'
    map buffer normal <ret> ': symbols-jump<ret>' -docstring 'go to the symbol of this row'
    hook -once buffer BufClose .* %{ nop %sh{ rm -rf "$kak_opt_symbols_folder" } }
    echo
}

define-command -hidden symbols-jump -docstring 'go to the symbol of the row at the cursor' %{
    evaluate-commands %sh{
        fail() { printf "fail 'symbols: %s'" "$1"; exit; }
        [ "$kak_opt_symbols_shown" != packed ] || fail 'packed has no rows to jump from; use another format'
        position=$(sed -n "${kak_cursor_line}s/^\([0-9]*\):\([0-9]*\)$(printf '\t').*/\1 \2/p" "$kak_opt_symbols_folder/answer")
        [ -n "$position" ] || fail 'no symbol stands in this line'
        line=$((${position% *} + 1))
        [ -f "$kak_opt_symbols_file" ] || fail 'the file that this table is about is gone'

        # Columns of the answer are UTF-16 units, Kakoune's are bytes. One of the bytes 80 to BF continues a character.
        column=$(sed -n "${line}p" "$kak_opt_symbols_file" | LC_ALL=C awk -v units="${position#* }" '{
            for (at = 1; at <= length($0); ++at) {
                byte = substr($0, at, 1)
                if (byte ~ /[\200-\277]/) continue
                if (units <= 0) break
                units -= byte ~ /[\360-\367]/ ? 2 : 1
            }
            print at
        }')
        quoted() { printf "'"; printf %s "$1" | sed "s/'/''/g"; printf "'"; }
        printf 'edit %s; select %s.%s,%s.%s; symbols-check-timestamp %s' "$(quoted "$kak_opt_symbols_file")" \
            "$line" "${column:-1}" "$line" "${column:-1}" "$kak_opt_symbols_timestamp"
    }
}

# symbols-check-timestamp TIMESTAMP: says if the text has changed since.
define-command -hidden symbols-check-timestamp -params 1 %{
    evaluate-commands %sh{
        [ "$1" = "$kak_timestamp" ] ||
            printf "echo -markup '{Error}symbols: the text has changed since this table was made; ask again for the right places'"
    }
}
