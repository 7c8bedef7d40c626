/** Plain questions to typed ones. A question that fits no pattern is not guessed at. */
import type { Purpose } from '../ecosystems/claim.js';

export type TypedQuestion =
  | { readonly kind: 'tests-for' | 'defines' | 'callers' | 'implements' | 'affects' | 'config'; readonly name: string }
  | { readonly kind: 'command'; readonly purpose: Purpose; readonly folder?: string };

export const QUESTION_KINDS = [
  'tests-for',
  'defines',
  'callers',
  'implements',
  'affects',
  'config',
  'command',
] as const;

const NAME = '[`"\']?([\\w./$:#@-]+?(?:\\(\\))?)[`"\']?';
const NOUN = '(?:the )?(?:function |method |class |module |symbol |file |interface |type |api |setting |option )?';

/** First match wins; the name is the first group. */
const PATTERNS: readonly (readonly [RegExp, Exclude<TypedQuestion['kind'], 'command'>])[] = [
  [
    `(?:where are|what are|which|find|show|list) (?:the )?tests? (?:for|of|cover|covers|exercise|test) ${NOUN}${NAME}`,
    'tests-for',
  ],
  [`(?:what|which) tests? (?:cover|covers|exercise|exercises|test) ${NOUN}${NAME}`, 'tests-for'],
  [`tests? (?:for|of) ${NOUN}${NAME}`, 'tests-for'],
  [`(?:who|what|which \\w+) calls? ${NOUN}${NAME}`, 'callers'],
  [`(?:callers? of|where is) ${NOUN}${NAME} called`, 'callers'],
  [`callers? of ${NOUN}${NAME}`, 'callers'],
  [`(?:who|what|which \\w+) (?:implements?|extends?|subclass(?:es)?|inherits? from) ${NOUN}${NAME}`, 'implements'],
  [`(?:implementations?|subclasses) of ${NOUN}${NAME}`, 'implements'],
  [`what (?:does|would|will) changing ${NOUN}${NAME} (?:plausibly )?(?:affect|break|touch)`, 'affects'],
  [
    `(?:what|which \\w+) (?:is|are|does|do) (?:affected|broken|touched)(?: if| when| by)? (?:i |we |you )?(?:chang(?:e|es|ing)) ${NOUN}${NAME}`,
    'affects',
  ],
  [`(?:which \\w+|what) (?:depends? on|uses) ${NOUN}${NAME}`, 'affects'],
  [
    `(?:which|what) (?:config(?:uration)?|setting|option|file)s? (?:selects?|sets?|controls?|configures?|chooses?) ${NOUN}${NAME}`,
    'config',
  ],
  [`where is ${NOUN}${NAME} (?:configured|set)`, 'config'],
  [`(?:what|which \\w+|where) (?:defines?|declares?) ${NOUN}${NAME}`, 'defines'],
  [`where is ${NOUN}${NAME}(?: defined| declared| implemented)?`, 'defines'],
].map(([pattern, kind]) => [
  new RegExp(`^${pattern}\\s*\\??$`, 'i'),
  kind as Exclude<TypedQuestion['kind'], 'command'>,
]);

const VERBS: readonly (readonly [RegExp, Purpose])[] = [
  [/\b(tests?|testing)\b/i, 'test'],
  [/\b(builds?|compiles?|building|compiling)\b/i, 'build'],
  [/\b(lints?|type-?checks?|linting)\b/i, 'lint'],
  [/\b(formats?|formatting)\b/i, 'format'],
  [/\b(installs?|set up|setup|installing)\b/i, 'install'],
  [/\b(runs?|starts?|serves?|running|starting)\b/i, 'run'],
];
const COMMAND = /^(?:(?:what|which)(?: is the)? commands?|how (?:do|can|to)\b|how (?:is|are))/i;

/** The typed question behind plain words; undefined where none fits. */
export function understand(question: string): TypedQuestion | undefined {
  const text = question.trim().replace(/\s+/g, ' ');
  if (COMMAND.test(text)) {
    const about = text
      .replace(COMMAND, '')
      .replace(/\b(run|running|execute) (?=(?:the )?(?:unit )?(?:tests?|lint|build|format))/i, '');
    const verb = VERBS.find(([pattern]) => pattern.test(about));
    const folder = /\b(?:in|of|for) ([\w.@-]+\/[\w./@-]*|packages\/\S+)\s*\??$/.exec(text)?.[1];
    return verb
      ? { kind: 'command', purpose: verb[1], ...(folder ? { folder: folder.replace(/\/$/, '') } : {}) }
      : undefined;
  }
  for (const [pattern, kind] of PATTERNS) {
    const name = pattern.exec(text)?.[1];
    if (name !== undefined && name !== '') return { kind, name };
  }
  return undefined;
}

/** Words of the command line to a question: a typed one where the first word is a kind, else plain language. */
export function parseQuestion(words: readonly string[]): TypedQuestion | undefined {
  const [kind, name, folder] = words;
  if (
    words.length >= 2 &&
    words.length <= 3 &&
    name !== undefined &&
    name.trim() !== '' &&
    (QUESTION_KINDS as readonly string[]).includes(kind ?? '')
  ) {
    if (kind !== 'command') return { kind: kind as Exclude<TypedQuestion['kind'], 'command'>, name };
    const purpose = VERBS.find(([, value]) => value === name)?.[1];
    return purpose ? { kind, purpose, ...(folder === undefined ? {} : { folder }) } : undefined;
  }
  return understand(words.join(' '));
}
