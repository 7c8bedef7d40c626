/** Build constraints: whether a plain `go build`, without `-tags`, would take the file on some platform. */

/** Tags that follow from platform, compiler and version, not from what the user asks for. */
const GIVEN = new RegExp(
  '^(aix|android|darwin|dragonfly|freebsd|hurd|illumos|ios|js|linux|netbsd|openbsd|plan9|solaris|wasip1|windows|zos|unix' +
    '|386|amd64|arm|arm64|loong64|mips|mips64|mips64le|mipsle|ppc64|ppc64le|riscv64|s390x|wasm' +
    '|cgo|gc|gccgo|go1(\\.\\d+)?|amd64\\.v\\d|arm64\\.v\\d)$',
);

/** True, false, or undefined where it depends on the platform. */
type Answer = boolean | undefined;

const not = (a: Answer): Answer => (a === undefined ? undefined : !a);
const both = (a: Answer, b: Answer): Answer => (a === false || b === false ? false : a && b);

/** The expression of the file's `//go:build` line, from the text before its package clause. */
export function constraintOf(head: string): string | undefined {
  return /^\/\/go:build\s+(.+?)\s*$/m.exec(head)?.[1];
}

/** Whether the constraint may hold without `-tags`. Anything unreadable may. */
export function mayHoldByDefault(constraint: string): boolean {
  const tokens = constraint.match(/\|\||&&|[!()]|[\w.]+/g) ?? [];
  let at = 0;
  const either = (): Answer => {
    let value = all();
    while (tokens[at] === '||') {
      at++;
      value = not(both(not(value), not(all())));
    }
    return value;
  };
  const all = (): Answer => {
    let value = one();
    while (tokens[at] === '&&') {
      at++;
      value = both(value, one());
    }
    return value;
  };
  const one = (): Answer => {
    const token = tokens[at++];
    if (token === '!') return not(one());
    if (token === '(') {
      const value = either();
      at++;
      return value;
    }
    return token === undefined || GIVEN.test(token) ? undefined : false;
  };
  return either() !== false;
}
