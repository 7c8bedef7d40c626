/** CMake and CTest: targets, their links, tests, sub-directories. Commands are read, not evaluated: variables stay unknown. */
import { lineIndex } from '../parsing/tree.js';
import { folderOf, joinPath, nameOf } from '../repository.js';
import type { Claim, Ecosystem } from './claim.js';

/** `name(arguments)` with its offset; comments blanked out, one level of nested parentheses. */
const COMMAND = /^[ \t]*([A-Za-z_]\w*)[ \t]*\(((?:[^()]|\([^()]*\))*)\)/gm;
const KEYWORDS = /^(PRIVATE|PUBLIC|INTERFACE|LINK_PRIVATE|LINK_PUBLIC|debug|optimized|general)$/;

export const cmake: Ecosystem = {
  id: 'cmake',
  matches: (path) => nameOf(path) === 'CMakeLists.txt',
  read(path, raw) {
    const folder = folderOf(path);
    const text = raw.replace(/#[^\n]*/g, (comment) => ' '.repeat(comment.length));
    const lineOf = lineIndex(text);
    const claims: Claim[] = [];
    const members: string[] = [];
    let firstMember = 1;
    let tests = 0;
    for (const match of text.matchAll(COMMAND)) {
      const line = lineOf(match.index + (/^\s*/.exec(match[0])?.[0].length ?? 0));
      const words = (match[2] ?? '')
        .split(/\s+/)
        .map((word) => word.replace(/^"|"$/g, ''))
        .filter((word) => word !== '');
      const first = words[0];
      if (first === undefined || first.includes('$')) {
        if (/^(enable_testing|include)$/i.test(match[1] ?? '')) tests ||= line;
        if (first === undefined) continue;
      }
      switch ((match[1] ?? '').toLowerCase()) {
        case 'project':
          claims.push({ kind: 'package-manager', name: 'cmake', line });
          claims.push({
            kind: 'tool',
            name: 'cmake',
            purpose: 'build',
            command: 'cmake -S . -B build && cmake --build build',
            line,
          });
          break;
        case 'add_executable':
          if (first.includes('$')) break;
          claims.push({ kind: 'component', type: 'target', name: first, line });
          claims.push({ kind: 'entry-point', type: 'main', name: first, target: words[1] ?? first, line });
          break;
        case 'add_library':
          if (!first.includes('$') && !words.includes('ALIAS') && !words.includes('IMPORTED'))
            claims.push({ kind: 'component', type: 'target', name: first, line });
          break;
        case 'target_link_libraries':
          for (const library of words.slice(1)) {
            if (!KEYWORDS.test(library) && !library.includes('$') && !library.startsWith('-'))
              claims.push({ kind: 'dependency', name: library, scope: 'runtime', of: first, line });
          }
          break;
        case 'find_package':
          claims.push({ kind: 'dependency', name: first, scope: 'build', line });
          if (/^(GTest|Catch2|doctest)$/.test(first)) claims.push({ kind: 'test-framework', name: first, line });
          break;
        case 'add_subdirectory': {
          const member = joinPath(folder, first);
          if (member === undefined || first.includes('$')) break;
          if (members.length === 0) firstMember = line;
          members.push(member);
          break;
        }
        case 'enable_testing':
        case 'add_test':
          tests ||= line;
          break;
        case 'include':
          if (first === 'CTest') tests ||= line;
          break;
      }
    }
    if (/^\s*enable_testing\s*\(\s*\)/m.test(text)) tests ||= lineOf(text.search(/enable_testing/));
    if (members.length > 0) claims.push({ kind: 'aggregator', name: 'cmake', members, line: firstMember });
    if (tests > 0) {
      claims.push({ kind: 'test-framework', name: 'ctest', line: tests });
      claims.push({ kind: 'tool', name: 'ctest', purpose: 'test', command: 'ctest --test-dir build', line: tests });
    }
    return claims;
  },
};
