/** Our entry in an agent's settings: everything else stays, and taking it out gives the file back to the byte. */
import fc from 'fast-check';
import { parse } from 'jsonc-parser';
import { expect, test } from 'vitest';
import type { HookSettings } from '../../src/agents/agent.js';
import { claudeCode } from '../../src/agents/claude-code.js';
import { installedHook, withHook, withoutHook } from '../../src/agents/settings-file.js';

const settings = claudeCode.hook?.install as HookSettings;
const COMMAND = 'sidecar hook claude-code';
const add = (text: string | undefined) => withHook(text, settings, COMMAND, 'settings.json');

test.each([
  ['an empty object', '{}'],
  ['an empty object over lines', '{\n}\n'],
  ['other settings', '{\n  "model": "opus"\n}\n'],
  ['on one line', '{"a": 1, "b": [1, 2]}'],
  ['tabs and no newline at the end', '{\n\t"a": {\n\t\t"b": 1\n\t}\n}'],
  ['lines that end in CR LF', '{\r\n    "a": 1\r\n}\r\n'],
  ['a byte order mark', '\uFEFF{\n  "a": 1\n}\n'],
  ['comments and trailing commas', '{\n  // why\n  "a": 1, /* x */\n  "hooks": {\n    // mine\n  },\n}\n'],
  ['other events', '{\n  "hooks": {\n    "Stop": []\n  }\n}\n'],
  ['an empty event', '{"hooks": {"PostToolUse": []}}'],
  [
    'other hooks of the event',
    '{\n  "hooks": {\n    "PostToolUse": [\n      {"matcher": "Edit", "hooks": [{"type": "command", "command": "fmt"}]}\n    ]\n  },\n  "z": 1\n}\n',
  ],
])('%s', async (name, text) => {
  const { text: added, inserted } = add(text);
  expect(installedHook(added, settings, 'claude-code')).toMatchObject({ command: COMMAND });
  expect(withoutHook(added, settings, 'claude-code', inserted)).toBe(text);
  // Without the record of what was inserted: the same settings, if not the same bytes.
  const plain = (from: string): unknown => parse(from.replace(/^\uFEFF/, ''), [], { allowTrailingComma: true });
  const { hooks: _, ...others } = plain(text) as { hooks?: unknown };
  expect(plain(withoutHook(added, settings, 'claude-code'))).toMatchObject(others);
  expect(installedHook(withoutHook(added, settings, 'claude-code'), settings, 'claude-code')).toBeUndefined();
  await expect(added).toMatchFileSnapshot(`../../fixtures/agents/settings-file/${name.replaceAll(' ', '-')}.json.txt`);
});

test('changes made since then survive', () => {
  const { text, inserted } = add('{\n  "a": 1\n}\n');
  const changed = text.replace('"a": 1', '"a": 2').replace(/\n}\n$/, ',\n  "z": true\n}\n');
  expect(withoutHook(changed, settings, 'claude-code', inserted)).toBe('{\n  "a": 2,\n  "z": true\n}\n');
});

test('a hook that was added beside ours survives', () => {
  const { text, inserted } = add('{}');
  const other = { type: 'command', command: 'fmt' };
  const whole = JSON.parse(text);
  whole.hooks.PostToolUse[0].hooks.push(other);
  const left = JSON.parse(withoutHook(JSON.stringify(whole), settings, 'claude-code', inserted));
  expect(left).toEqual({ hooks: { PostToolUse: [{ matcher: 'Bash|Grep', hooks: [other] }] } });
});

test('any settings: valid with the entry, the same without it', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.constantFrom(undefined, 2, 4, '\t'), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      const { text: added, inserted } = add(text);
      expect(JSON.parse(added)).toMatchObject(JSON.parse(text));
      expect(withoutHook(added, settings, 'claude-code', inserted)).toBe(text);
    }),
    { seed: 5, numRuns: 300 },
  );
});

test.each([
  ['{"a": ', 'it is not valid JSON'],
  ['[1]', 'it does not hold an object'],
  ['{"hooks": []}', 'its "hooks" is not an object'],
  ['{"hooks": {"PostToolUse": {}}}', 'its "hooks.PostToolUse" is not a list'],
])('settings that cannot take it are left alone: %s', (text, why) => {
  expect(() => add(text)).toThrow(why);
});
