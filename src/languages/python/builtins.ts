/** Names that mean something outside any repository. */

/** What a name means when no scope binds it. */
export const BUILTINS: ReadonlySet<string> = new Set(
  `ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup BlockingIOError BrokenPipeError
  BufferError BytesWarning ChildProcessError ConnectionAbortedError ConnectionError ConnectionRefusedError
  ConnectionResetError DeprecationWarning EOFError Ellipsis EncodingWarning EnvironmentError Exception ExceptionGroup
  False FileExistsError FileNotFoundError FloatingPointError FutureWarning GeneratorExit IOError ImportError
  ImportWarning IndentationError IndexError InterruptedError IsADirectoryError KeyError KeyboardInterrupt LookupError
  MemoryError ModuleNotFoundError NameError None NotADirectoryError NotImplemented NotImplementedError OSError
  OverflowError PendingDeprecationWarning PermissionError ProcessLookupError RecursionError ReferenceError
  ResourceWarning RuntimeError RuntimeWarning StopAsyncIteration StopIteration SyntaxError SyntaxWarning SystemError
  SystemExit TabError TimeoutError True TypeError UnboundLocalError UnicodeDecodeError UnicodeEncodeError UnicodeError
  UnicodeTranslateError UnicodeWarning UserWarning ValueError Warning ZeroDivisionError __build_class__ __debug__
  __doc__ __file__ __import__ __loader__ __name__ __package__ __path__ __spec__ abs aiter all anext any apply ascii
  basestring bin bool breakpoint buffer bytearray bytes callable chr classmethod cmp coerce compile complex copyright
  credits delattr dict dir divmod enumerate eval exec execfile exit file filter float format frozenset getattr globals
  hasattr hash help hex id input int intern isinstance issubclass iter len license list locals long map max memoryview
  min next object oct open ord pow print property quit range raw_input reduce reload repr reversed round set setattr
  slice sorted staticmethod str sum super tuple type unichr unicode vars xrange zip`.split(/\s+/),
);

/** Builtin callables whose result is an instance of a builtin, or a value that says nothing of the repository. */
export const OUTSIDE_CALLS: ReadonlySet<string> = new Set(
  `abs all any ascii bin bool bytearray bytes callable chr complex dict dir divmod float format frozenset hasattr hash
  hex id input int isinstance issubclass len list locals memoryview oct open ord range repr round set slice str tuple
  vars zip globals map filter`.split(/\s+/),
);

/** Top-level modules of the standard library (3.8 to 3.14) and of Python 2 that repositories still import. */
export const STANDARD_LIBRARY: ReadonlySet<string> = new Set(
  `__future__ __main__ _thread abc aifc annotationlib argparse array ast asynchat asyncio asyncore atexit audioop base64
  bdb binascii binhex bisect builtins bz2 cProfile calendar cgi cgitb chunk cmath cmd code codecs codeop collections
  colorsys compileall compression concurrent configparser contextlib contextvars copy copyreg crypt csv ctypes curses
  dataclasses datetime dbm decimal difflib dis distutils doctest email encodings ensurepip enum errno faulthandler fcntl
  filecmp fileinput fnmatch formatter fractions ftplib functools gc genericpath getopt getpass gettext glob graphlib grp
  gzip hashlib heapq hmac html http idlelib imaplib imghdr imp importlib inspect io ipaddress itertools json keyword
  lib2to3 linecache locale logging lzma mailbox mailcap marshal math mimetypes mmap modulefinder msilib msvcrt
  multiprocessing netrc nis nntplib ntpath nturl2path numbers opcode operator optparse os ossaudiodev pathlib pdb
  pickle pickletools pipes pkgutil platform plistlib poplib posix posixpath pprint profile pstats pty pwd py_compile
  pyclbr pydoc pydoc_data queue quopri random re readline reprlib resource rlcompleter runpy sched secrets select
  selectors shelve shlex shutil signal site smtpd smtplib sndhdr socket socketserver spwd sqlite3 sre_compile
  sre_constants sre_parse ssl stat statistics string stringprep struct subprocess sunau symtable sys sysconfig
  syslog tabnanny tarfile telnetlib tempfile termios textwrap this threading time timeit tkinter token tokenize tomllib
  trace traceback tracemalloc tty turtle turtledemo types typing unicodedata unittest urllib uu uuid
  venv warnings wave weakref webbrowser winreg winsound wsgiref xdrlib xml xmlrpc zipapp zipfile zipimport zlib zoneinfo
  __builtin__ ConfigParser Cookie HTMLParser Queue StringIO UserDict cPickle cStringIO cookielib httplib thread urllib2
  urlparse xmlrpclib`.split(/\s+/),
);

/**
 * Methods of builtin and everyday standard types: on a receiver of unknown type they say nothing, even where
 * a single class of the repository defines them.
 */
export const COMMON_METHODS: ReadonlySet<string> = new Set(
  `acquire add append appendleft as_integer_ratio astimezone capitalize casefold center clear close commit conjugate
  connect copy count cursor date decode difference discard done dump dumps emit encode endswith execute exists
  expanduser expandtabs extend extendleft fetchall fetchone fileno filter find findall finditer flush format
  format_map from_bytes fromkeys get get_nowait group groupdict groups hex index info insert intersection isalnum
  isalpha isatty isdecimal isdigit isdir isdisjoint isfile isidentifier islower isnumeric isoformat isspace issubset
  issuperset istitle isupper item items iterdir join keys ljust load loads log lower lstrip match mkdir move_to_end
  next open parse partition pop popitem popleft put read readable readline readlines release remove removeprefix
  removesuffix replace reshape resolve result reverse rfind rindex rjust rotate rpartition rsplit rstrip run save
  search seek send set setdefault shape sort split splitlines start startswith stat step stop strftime strip sub sum
  swapcase tell time timestamp title to_bytes tolist translate truncate union unlink update upper utcnow utcoffset
  values wait warn warning write writelines year zfill debug error exception critical now total_seconds mean min max
  all any absolute addHandler add_argument add_done_callback as_posix chmod communicate fullmatch getbuffer getvalue
  glob is_absolute is_alive is_dir is_file is_set is_symlink isEnabledFor joinpath parse_args parse_known_args
  put_nowait qsize read1 read_bytes read_text readinto relative_to removeHandler rglob rmdir samefile sendall
  setLevel set_exception set_result symlink_to task_done terminate timetuple touch weekday with_name with_stem
  with_suffix write_bytes write_text`.split(/\s+/),
);
