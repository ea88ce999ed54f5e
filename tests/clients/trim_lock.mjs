// Takes out of package-lock.json, after an `npm install --package-lock-only --ignore-scripts` here, what the tests do not need of
// the harnesses: optional packages (other platforms, image scaling, sound: 150 MB), and all that oh-my-opencode depends on (480 MB), of
// which the tests run one bundled program. npm installs what the lock file names.
import { readFileSync, writeFileSync } from 'node:fs';

const file = new URL('package-lock.json', import.meta.url);
const lock = JSON.parse(readFileSync(file, 'utf8'));
const { packages } = lock;
for (const [path, entry] of Object.entries(packages)) {
  delete entry.optionalDependencies;
  if (path === 'node_modules/oh-my-opencode') delete entry.dependencies;
}

/** Where Node.js looks for `name` from the package at `path`. */
function resolved(path, name) {
  for (let folder = path; ; folder = folder.slice(0, Math.max(folder.lastIndexOf('/node_modules/'), 0))) {
    const candidate = `${folder && `${folder}/`}node_modules/${name}`;
    if (packages[candidate]) return candidate;
    if (folder === '') return undefined;
  }
}

const needed = new Set(['']);
for (const path of needed) {
  const { dependencies, peerDependencies, peerDependenciesMeta } = packages[path];
  for (const name of Object.keys({ ...dependencies, ...peerDependencies })) {
    if (peerDependenciesMeta?.[name]?.optional) continue;
    const found = resolved(path, name);
    if (!found) throw new Error(`${path} needs ${name}, which is not in the lock file`);
    needed.add(found);
  }
}
lock.packages = Object.fromEntries(Object.entries(packages).filter(([path]) => needed.has(path)));
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
