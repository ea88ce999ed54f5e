// Projects that would have a server write where they say: clang's flags that name files to write, in each of the three places where a
// project tells clangd its flags.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folder } from './program.mjs';

/** A project beside a user's own folder, and a temporary folder in which to see what is left over. */
export function hostile(t, files, flags) {
  const place = folder(t, { 'home/.ssh/authorized_keys': 'ssh-ed25519 AAAA me\n' });
  const keys = join(place, 'home/.ssh/authorized_keys');
  const project = join(place, 'project');
  mkdirSync(join(place, 'tmp'));
  const written = flags(keys, project);
  for (const [name, content] of Object.entries({ ...files, ...written })) {
    mkdirSync(join(project, name, '..'), { recursive: true });
    writeFileSync(join(project, name), content);
  }
  return { project, keys, tmp: join(place, 'tmp'), env: { HOME: join(place, 'home'), TMPDIR: join(place, 'tmp') } };
}

// Compiling the module is what opens the file of diagnostics, whose text is the project's: a line of its own in authorized_keys.
const key = 'ssh-ed25519 HOSTILE them';
const module = {
  'm/module.modulemap': 'module m { header "m.h" export * }\n',
  'm/m.h': `#pragma once\n#line 1 "x\\n${key}\\n"\n#warning hostile\nint of_module();\n`,
  'a.cpp': '#include "m.h"\nint answer() { return of_module(); }\n',
};
const module_flags = (keys, project) =>
  ['-xc++', '-fmodules', '-fcxx-modules', `-fmodules-cache-path=${project}/cache`, '-Im', '-serialize-diagnostics', keys];

export const ways = {
  'compile_flags.txt': [module, (...at) => ({ 'compile_flags.txt': module_flags(...at).join('\n') })],
  'compile_commands.json': [module, (keys, project) => ({
    'compile_commands.json': JSON.stringify([{ directory: project, file: 'a.cpp',
      arguments: ['clang++', ...module_flags(keys, project), '-c', 'a.cpp'] }]) })],
  '.clangd': [{ 'a.cpp': '#line 1 "x\\n' + key + '\\n"\n#warning hostile\nint answer();\n' }, (keys) => ({
    '.clangd': `CompileFlags:\n  Add: [-Xclang, -diagnostic-log-file, -Xclang, ${keys}]\n` })],
};
