// A home folder for a third-party harness in place of the user's own, and an environment that keeps it off the network.
import { serverSettings } from './language_servers.mjs';
import { folder } from './program.mjs';

/** What a harness finds instead of the user's own set-up; a request that is not to the loopback interface fails at once. */
export function isolated(home, path) {
  return {
    PATH: path,
    LANG: 'C.UTF-8',
    HOME: home,
    XDG_CONFIG_HOME: `${home}/.config`,
    http_proxy: 'http://127.0.0.1:9',
    https_proxy: 'http://127.0.0.1:9',
    no_proxy: '127.0.0.1',
    npm_config_registry: 'http://127.0.0.1:9',
  };
}

/** A home folder with these files and what keeps clangd's sessions short. */
export const homeWith = (t, files = {}) =>
  folder(t, { ...Object.fromEntries(Object.entries(serverSettings).map(([name, text]) => [`.config/${name}`, text])), ...files });
