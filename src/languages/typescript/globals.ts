/** Names that JavaScript, browsers, Node and test runners provide: a repository's own globals are rarely among them. */
const WELL_KNOWN = new Set(
  `AbortController AbortSignal AggregateError Array ArrayBuffer ArrayBufferView ArrayLike AsyncGenerator AsyncIterable
  AsyncIterator Atomics Awaited BigInt BigInt64Array Blob Boolean BufferSource Buffer Bun CSSStyleDeclaration Capitalize
  CustomEvent DOMException DataView Date Deno Document Element Error ErrorConstructor EvalError Event EventTarget Exclude
  Extract File FileReader FinalizationRegistry Float32Array Float64Array FormData Function FunctionConstructor Generator
  HTMLElement Headers HeadersInit Infinity InstanceType Int16Array Int32Array Int8Array Intl Iterable IterableIterator
  Iterator JSON KeyboardEvent Map Math MouseEvent NaN Node NodeJS NonNullable Number Object Omit OmitThisParameter
  Parameters Partial Pick Promise PromiseLike Proxy ProxyHandler RangeError React ReadableStream Readonly ReadonlyArray
  ReadonlyMap ReadonlySet Record Reflect RegExp RegExpExecArray RegExpMatchArray Request RequestInit Required Response
  ResponseInit ReturnType Set SharedArrayBuffer String Symbol SyntaxError TextDecoder TextEncoder ThisType
  TransformStream TypeError URIError URL URLSearchParams Uint16Array Uint32Array Uint8Array Uint8ClampedArray
  Uncapitalize Uppercase Lowercase WeakMap WeakRef WeakSet WebAssembly WebSocket Window Worker WritableStream
  XMLHttpRequest __dirname __filename afterAll afterEach alert arguments atob before beforeAll beforeEach after btoa
  cancelAnimationFrame clearImmediate clearInterval clearTimeout console context crypto decodeURI decodeURIComponent
  define describe document encodeURI encodeURIComponent escape eval event expect exports fetch fit global globalThis
  history isFinite isNaN it jasmine jest localStorage location module navigator parseFloat parseInt performance process
  queueMicrotask requestAnimationFrame require self sessionStorage setImmediate setInterval setTimeout structuredClone
  suite test undefined unescape vi vitest window xdescribe xit`.split(/\s+/),
);

export const isWellKnown = (name: string): boolean => WELL_KNOWN.has(name);
