/** Interfaces of Go's standard library that others embed, with the signatures of their methods. */
import type { Node } from './syntax.js';

type Shapes = Readonly<Record<string, string>>;

const READ = { Read: '([]byte)(int,error)' };
const WRITE = { Write: '([]byte)(int,error)' };
const CLOSE = { Close: '()(error)' };
const SEEK = { Seek: '(int64,int)(int64,error)' };
const STRING = { String: '()(string)' };
const ERROR = { Error: '()(string)' };
const READ_AT = { ReadAt: '([]byte,int64)(int,error)' };
const SERVE = { ServeHTTP: '(http.ResponseWriter,*http.Request)()' };
const LEN_LESS_SWAP = { Len: '()(int)', Less: '(int,int)(bool)', Swap: '(int,int)()' };

const STANDARD = new Map<string, Shapes>([
  ['error', ERROR],
  ['fmt.Stringer', STRING],
  ['io.Reader', READ],
  ['io.Writer', WRITE],
  ['io.Closer', CLOSE],
  ['io.Seeker', SEEK],
  ['io.ReaderAt', READ_AT],
  ['io.ReadCloser', { ...READ, ...CLOSE }],
  ['io.WriteCloser', { ...WRITE, ...CLOSE }],
  ['io.ReadWriter', { ...READ, ...WRITE }],
  ['io.ReadWriteCloser', { ...READ, ...WRITE, ...CLOSE }],
  ['io.ReadSeeker', { ...READ, ...SEEK }],
  ['io.ReadSeekCloser', { ...READ, ...SEEK, ...CLOSE }],
  ['http.Handler', SERVE],
  ['http.ResponseWriter', { Header: '()(http.Header)', ...WRITE, WriteHeader: '(int)()' }],
  ['http.Flusher', { Flush: '()()' }],
  ['http.Hijacker', { Hijack: '()(net.Conn,*bufio.ReadWriter,error)' }],
  ['http.CloseNotifier', { CloseNotify: '()(chan bool)' }],
  ['http.Pusher', { Push: '(string,*http.PushOptions)(error)' }],
  ['http.RoundTripper', { RoundTrip: '(*http.Request)(*http.Response,error)' }],
  ['io.StringWriter', { WriteString: '(string)(int,error)' }],
  ['io.WriterTo', { WriteTo: '(io.Writer)(int64,error)' }],
  ['io.ReaderFrom', { ReadFrom: '(io.Reader)(int64,error)' }],
  ['sort.Interface', LEN_LESS_SWAP],
  ['heap.Interface', { ...LEN_LESS_SWAP, Push: '(interface)()', Pop: '()(interface)' }],
  ['sync.Locker', { Lock: '()()', Unlock: '()()' }],
  ['json.Marshaler', { MarshalJSON: '()([]byte,error)' }],
  ['json.Unmarshaler', { UnmarshalJSON: '([]byte)(error)' }],
]);

/** Methods that so many types have that meeting one of them says nothing about the type. */
const COMMONPLACE: readonly Shapes[] = [...STANDARD.values()].concat([
  { Unwrap: '()(error)' },
  { Len: '()(int)' },
  { Name: '()(string)' },
  { Reset: '()()' },
  { Close: '()()' },
  { Start: '()()' },
  { Stop: '()()' },
  { Run: '()(error)' },
  { Start: '()(error)' },
  { Stop: '()(error)' },
  { Flush: '()(error)' },
  { Next: '()(bool)' },
  { Err: '()(error)' },
]);

/** The methods of an embedded interface of the standard library; undefined for others. */
export function standardInterface(type: Node): Shapes | undefined {
  if (type.is === 'name') return STANDARD.get(type.name);
  if (type.is === 'select' && type.of.is === 'name') return STANDARD.get(`${type.of.name}.${type.name}`);
  return undefined;
}

/** Whether an interface asks for nothing beyond what types have anyway, such as a sole `String()` or `Close()`. */
export function isCommonplace(shapes: Shapes): boolean {
  const names = Object.keys(shapes);
  return COMMONPLACE.some((common) => {
    const asked = Object.keys(common);
    return asked.length === names.length && asked.every((name) => shapes[name] === common[name]);
  });
}
