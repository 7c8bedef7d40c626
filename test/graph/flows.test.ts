import { describe, expect, it } from 'vitest';
import { type CallEdge, FLOW_LIMITS, flowsOf, type Step } from '../../src/graph/flows.js';

const step = (text: string): Step => {
  const [path = '', symbol = ''] = text.split(':');
  return { path, symbol };
};
const call = (from: string, to: string, confidence = 0.9): CallEdge => ({ from: step(from), to: step(to), confidence });
const isTest = (path: string): boolean => path.startsWith('tests/');

describe('flows', () => {
  const calls = [call('cli.py:main', 'app.py:App.run'), call('app.py:App.run', 'db.py:connect')];

  it('follow the calls from an entry point and tell each file its step', () => {
    const flows = flowsOf({ calls, entries: [{ ...step('cli.py:main'), kind: 'main' }], isTest });
    expect(flows.get('app.py')).toEqual([
      { name: 'main', entry: step('cli.py:main'), symbol: 'App.run', step: 2, steps: 3 },
    ]);
    expect(flows.get('db.py')?.[0]?.step).toBe(3);
  });

  it('never start in or lead through tests, and never take a doubtful call', () => {
    const entries = [
      { ...step('tests/t.py:test'), kind: 'main' },
      { ...step('cli.py:main'), kind: 'main' },
    ];
    const doubtful = [call('cli.py:main', 'app.py:App.run', 0.5), call('app.py:App.run', 'db.py:connect')];
    expect(flowsOf({ calls: [...doubtful, call('tests/t.py:test', 'app.py:App.run')], entries, isTest }).size).toBe(0);
  });

  it('end on cycles and at the depth limit', () => {
    const long = Array.from({ length: 30 }, (_, i) => call(`f${i}.py:f`, `f${(i + 1) % 30}.py:f`));
    const flows = flowsOf({ calls: long, entries: [{ ...step('f0.py:f'), kind: 'main' }], isTest });
    expect(flows.get('f0.py')?.[0]?.steps).toBe(FLOW_LIMITS.depth);
  });

  it('stay within what a reader can use, declared entry points of the product first', () => {
    const many = Array.from({ length: 40 }, (_, i) => call(`cli.py:f${String(i).padStart(2, '0')}`, 'app.py:App.run'));
    const entries = many.map(({ from }) => ({ ...from, kind: 'exported' }));
    const main = { ...step('main.py:main'), kind: 'main' };
    const flows = flowsOf({
      calls: [...many, ...calls, call('main.py:main', 'app.py:App.run')],
      entries: [...entries, main],
      isTest,
    });
    expect(flows.get('cli.py')).toHaveLength(FLOW_LIMITS.perFile);
    expect(flows.get('db.py')?.[0]?.name).toBe('main');
  });

  it('do not depend on the order of calls', () => {
    const entries = [{ ...step('cli.py:main'), kind: 'main' }];
    const more = [...calls, call('cli.py:main', 'b.py:x'), call('b.py:x', 'c.py:y')];
    expect(flowsOf({ calls: [...more].reverse(), entries, isTest })).toEqual(flowsOf({ calls: more, entries, isTest }));
  });
});
