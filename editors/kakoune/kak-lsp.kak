# For kakrc, after `eval %sh{kak-lsp}`: kak-lsp's servers for C, C++, Objective-C, TypeScript and JavaScript as its own
# rc/servers.kak has them, started behind `symbols proxy`.

remove-hooks global lsp-filetype-(c-family|javascript)

hook -group lsp-filetype-symbols global BufSetOption filetype=(?:c|cpp|objc) %{
    set-option buffer lsp_servers %{
        [clangd]
        command = "symbols"
        args = ["proxy", "--format", "standard", "--", "clangd", "--log=error"]
        root_globs = ["compile_commands.json", ".clangd", ".git", ".hg"]
    }
}

hook -group lsp-filetype-symbols global BufSetOption filetype=(?:javascript|typescript) %{
    set-option buffer lsp_servers %{
        [typescript-language-server]
        command = "symbols"
        args = ["proxy", "--format", "standard", "--", "typescript-language-server", "--stdio"]
        root_globs = ["package.json", "tsconfig.json", "jsconfig.json", ".git", ".hg"]
        settings_section = "_"
        [typescript-language-server.settings._]
    }
}
