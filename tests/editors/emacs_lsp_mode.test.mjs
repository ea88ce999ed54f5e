// editors/emacs/symbols.el in a real Emacs with lsp-mode, before real language servers.
import { languageServers } from '../e2e/language_servers.mjs';
import { testClient } from './emacs_cases.mjs';

// Not TypeScript 7, which refuses the "moniker": null that lsp-mode 8 sends; and the client that lsp-mode has for
// typescript-language-server gives it an option that version 4 no longer knows.
const { tsserver } = languageServers['typescript-language-server'].initializationOptions;
const typescript = `(progn
  (add-to-list 'auto-mode-alist '("\\\\.ts\\\\'" . js-mode))
  (add-to-list 'lsp-language-id-configuration '("\\\\.ts\\\\'" . "typescript"))
  (lsp-register-client
    (make-lsp-client :new-connection (lsp-stdio-connection '("typescript-language-server" "--stdio"))
                     :activation-fn (lsp-activate-on "typescript") :server-id 'typescript
                     :initialization-options '(:disableAutomaticTypingAcquisition t
                                               :tsserver (:path "${tsserver.path}" :useSyntaxServer "never"))))
  t)`;

const clangd = { name: 'clangd, by the client that lsp-mode has', file: 'geometry.cpp', hovers: ['calculate_area', 'Circle', 'radius_'] };
const server = {
  name: 'typescript-language-server, registered before', file: 'geometry.ts', hovers: ['calculateArea', 'Rectangle'],
  before: typescript, option: ['--server', 'typescript-language-server'],
};

testClient({
  client: 'lsp_mode',
  wrap: "(symbols-lsp-mode-wrap 'clangd 'typescript)",
  main: clangd,
  missing: /There is no program ‘no-such-symbols’ on the PATH; install it or set ‘symbols-program’/,
  ended: /^No language server is connected to geometry\.cpp/,
  // lsp-mode 8 counts a position in characters, not in UTF-16 units: its hovers behind astral characters are of another place.
  servers: [
    clangd,
    { ...clangd, file: 'names.cpp', hovers: ['wide'], hoversFit: false },
    server,
    { ...server, file: 'names.ts', hovers: ['behind'], hoversFit: false },
  ],
});
