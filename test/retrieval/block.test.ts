import { describe, expect, it } from 'vitest';
import { blockFor } from '../../src/retrieval/block.js';
import type { BlockRequest, Match } from '../../src/retrieval/request.js';
import { edges, indexOf, shared, symbol, together } from './index-of.js';

const match = (path: string, ...lines: number[]): Match => ({ path, lines });

const flask = indexOf({
  'src/flask/blueprints.py': {
    community: { label: 'Blueprints', cohesion: 0.4 },
    symbols: [
      symbol('Blueprint', 10, 200),
      symbol('Blueprint.register', 20, 60, {
        callers: edges(0.95, 'src/flask/app.py:App.register_blueprint', 'tests/test_blueprints.py:test_register'),
        callees: edges(0.9, 'src/flask/state.py:SetupState', 'src/flask/guess.py:maybe'),
        tests: edges(0.75, 'tests/test_blueprints.py:test_register'),
      }),
    ],
    neighbours: {
      changedTogether: together({ 'src/flask/app.py': 0.6, 'src/flask/cli.py': 0.3, 'tests/test_blueprints.py': 0.7 }),
      sharedIdentifiers: shared({ 'src/flask/scaffold.py': 0.4, 'docs/blueprints.md': 0.3 }, '_got_registered_once'),
    },
    flows: [
      {
        name: 'register_blueprint',
        entry: { path: 'src/flask/app.py' },
        symbol: 'Blueprint.register',
        step: 2,
        steps: 4,
      },
    ],
    ago: 3,
  },
  'src/flask/app.py': { symbols: [symbol('App.register_blueprint', 569, 590)], ago: 1 },
  'src/flask/state.py': { symbols: [symbol('SetupState', 34, 80)] },
  'src/flask/guess.py': { symbols: [symbol('maybe', 1, 2)] },
  'tests/test_blueprints.py': { symbols: [symbol('test_register', 5, 9)] },
});

const request = (more: Partial<BlockRequest> = {}): BlockRequest => ({
  matches: [match('src/flask/blueprints.py', 20, 31)],
  patterns: ['register'],
  reader: flask,
  ...more,
});

describe('the block of a search', () => {
  it('says which files, why and where', async () => {
    await expect(blockFor(request()).text).toMatchFileSnapshot('../../fixtures/retrieval/block/flask.txt');
  });

  it('is the same for the same request', () => {
    expect(blockFor(request())).toEqual(blockFor(request()));
  });

  it('names paths as the agent sees them', () => {
    const { text } = blockFor(request({ display: (path) => `../${path}` }));
    expect(text).toContain('../src/flask/blueprints.py (cluster: Blueprints)');
    expect(text).toContain('  ../src/flask/ ');
  });

  it('lists every file that its text names, anchors included', () => {
    const { text, shown } = blockFor(request());
    for (const { path } of shown) expect(text).toContain(path.slice(path.lastIndexOf('/') + 1));
    expect(shown.map(({ path }) => path)).toContain('src/flask/cli.py');
    expect(new Set(shown.map(({ path }) => path)).size).toBe(shown.length);
  });

  it('shows no neighbour below theta', () => {
    const { text } = blockFor(request({ theta: 0.93 }));
    expect(text).not.toContain('Callees');
    expect(text).toContain('App.register_blueprint:569 [0.95]');
  });

  it('names callers of what was searched for although the list is full of other files, and no other further files', () => {
    const others = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`src/other${i}.py`, 0.9 - i / 100]));
    const reader = indexOf({
      'src/a.py': {
        symbols: [
          symbol('register', 1, 9, {
            callers: edges(0.99, 'src/far.py:use'),
            callees: edges(0.99, 'src/deep.py:work'),
          }),
        ],
        neighbours: { changedTogether: together(others) },
      },
      'src/far.py': { symbols: [symbol('use', 4, 6)] },
      'src/deep.py': { symbols: [symbol('work', 1, 2)] },
      ...Object.fromEntries(Object.keys(others).map((path) => [path, {}])),
    });
    const { text } = blockFor({ matches: [match('src/a.py', 1)], patterns: ['register'], reader });
    expect(text).toContain('Callers: src/far.py:use:4 [0.99]');
    expect(text).not.toContain('deep.py');
    const limited = blockFor({ matches: [match('src/a.py', 1)], patterns: ['register'], reader, k: 5 });
    expect(limited.text).not.toContain('far.py');
    expect(limited.shown.filter(({ as }) => as === 'related')).toHaveLength(5);
  });

  it('leaves out what the result itself shows', () => {
    const matches = [
      match('src/flask/blueprints.py', 20),
      match('src/flask/app.py', 570),
      match('src/flask/cli.py', 1),
    ];
    const { text } = blockFor(request({ matches }));
    expect(text).not.toContain('Callers');
    expect(text).not.toContain('cli.py');
    expect(text).toContain('scaffold.py');
  });

  it('keeps tests out of the list and names them as tests', () => {
    const { text } = blockFor(request());
    expect(text.match(/test_blueprints/g)).toHaveLength(1);
    expect(text).toContain('Tests: tests/test_blueprints.py:test_register:5 [0.75]');
  });

  it('says that an anchor was edited since it was indexed', () => {
    const { text } = blockFor(request({ edited: (path) => path === 'src/flask/blueprints.py' }));
    expect(text).toContain('src/flask/blueprints.py (cluster: Blueprints) (edited since indexed)');
  });

  it('is silent for files that the index does not know', () => {
    const { text, log, session } = blockFor(request({ matches: [match('unknown.py', 1)] }));
    expect(text).toBe('');
    expect(log.decision).toBe('no-anchor');
    expect(session.searches).toBe(1);
  });

  it('is silent where all evidence is weak', () => {
    const reader = indexOf({ 'a.py': { neighbours: { sharedIdentifiers: shared({ 'b.py': 0.01 }, 'some_word') } } });
    const { text, log } = blockFor({ matches: [match('a.py', 1)], patterns: ['x'], reader });
    expect(text).toBe('');
    expect(log.decision).toBe('below-gate');
  });

  it('is silent rather than over budget', () => {
    const { text, log } = blockFor(request({ budget: 5 }));
    expect(text).toBe('');
    expect(log.decision).toBe('over-budget');
  });

  it('says how many more there are where it is capped', () => {
    const many = Object.fromEntries(
      Array.from({ length: 30 }, (_, i) => [`src/m${String(i).padStart(2, '0')}.py`, 0.5]),
    );
    const reader = indexOf({ 'a.py': { neighbours: { changedTogether: together(many) } } });
    const { text } = blockFor({ matches: [match('a.py', 1)], patterns: ['x'], reader, k: 5 });
    expect(text).toContain('m04.py');
    expect(text).not.toContain('m05.py');
    expect(text).toContain('+25 more');
  });

  it('puts what belongs to the edits of the working tree first', () => {
    const reader = indexOf({
      'a.py': { neighbours: { sharedIdentifiers: shared({ 'z.py': 0.5 }, 'some_word') } },
      'edited.py': { neighbours: { changedTogether: together({ 'pair.py': 0.6, 'a.py': 0.4 }) } },
    });
    const { text } = blockFor({ matches: [match('a.py', 1)], patterns: ['x'], reader, changed: ['edited.py'] });
    const [, second, third] = text.split('\n');
    expect(second).toBe('Not changed yet, related to files changed in the working tree:');
    expect(third).toBe('  pair.py (changed with edited.py in 12 commits)');
    expect(text).toContain('z.py');
  });
});

describe('a session', () => {
  it('is told nothing twice', () => {
    const first = blockFor(request());
    const second = blockFor(request({ session: first.session }));
    expect(second.text).toBe('');
  });

  it('gives a new neighbour its place when a search is repeated', () => {
    const before = indexOf({ 'a.py': { neighbours: { changedTogether: together({ 'b.py': 0.5 }) } } });
    const after = indexOf({ 'a.py': { neighbours: { changedTogether: together({ 'b.py': 0.5, 'new.py': 0.5 }) } } });
    const one = { matches: [match('a.py', 1)], patterns: ['x'] };
    const first = blockFor({ ...one, reader: before });
    const second = blockFor({ ...one, reader: after, session: first.session });
    expect(first.text).toContain('b.py');
    expect(second.text).toContain('new.py');
    expect(second.text).not.toContain('b.py');
  });

  it('may be told again after many other searches', () => {
    let { session } = blockFor(request());
    for (let i = 0; i < 12; i += 1) ({ session } = blockFor(request({ session, matches: [match('unknown.py', 1)] })));
    expect(blockFor(request({ session })).text).toContain('Callers');
  });

  it('survives a round trip through JSON', () => {
    const { session } = blockFor(request());
    expect(JSON.parse(JSON.stringify(session))).toEqual(session);
  });
});

describe('names', () => {
  it('cannot move a cursor, end a line or turn the direction of text', () => {
    const evil = 'src/\u001b[31mred\n[fake]\u202e.py';
    const reader = {
      ...indexOf({}),
      sidecar: (path: string) => ({
        schemaVersion: 1 as const,
        path,
        content: '',
        role: 'source' as const,
        lines: 1,
        symbols: [],
        neighbours: path === 'a.py' ? { changedTogether: together({ [evil]: 0.9 }) } : {},
        flows: [],
      }),
    };
    const { text } = blockFor({ matches: [match('a.py', 1)], patterns: ['x'], reader });
    expect(text).toContain('\\x1b[31mred\\x0a[fake]\\u{202e}.py');
    expect(text.split('\n')).toHaveLength(4);
  });
});
