/** Examines many files, inline or on worker threads. Results do not depend on which. */
import { Worker } from 'node:worker_threads';
import { type ByteSource, type Examined, Examiner, type ExamineTask } from './examine.js';
import { parsingFew } from './parser.js';

export interface WorkerSetup {
  readonly source: ByteSource;
}

/** Files handed to a worker at a time: enough to hide the message, few enough to finish together. */
const BATCH = 16;
/** So many files are parsed before an optimising compiler has paid for itself. */
const FEW = 8;

async function examineInline(
  source: ByteSource,
  tasks: readonly ExamineTask[],
  onResult: (examined: Examined) => void,
): Promise<void> {
  const examiner = new Examiner(source);
  try {
    for (const task of tasks) onResult(await examiner.examine(task));
  } finally {
    examiner.close();
  }
}

/**
 * Examines all tasks and hands each result to `onResult` as it comes, in no particular order.
 * @param workers 1: in this thread.
 */
export async function examineAll(
  source: ByteSource,
  tasks: readonly ExamineTask[],
  workers: number,
  onResult: (examined: Examined) => void,
): Promise<void> {
  const useful = Math.min(workers, Math.ceil(tasks.length / BATCH));
  if (useful <= 1) {
    const inline = (): Promise<void> => examineInline(source, tasks, onResult);
    await (tasks.length <= FEW ? parsingFew(inline) : inline());
    return;
  }
  let next = 0;
  const take = (): ExamineTask[] => {
    const batch = tasks.slice(next, next + BATCH);
    next += batch.length;
    return batch;
  };
  const runWorker = (): Promise<void> =>
    new Promise((done, fail) => {
      const setup: WorkerSetup = { source };
      const worker = new Worker(new URL('./extraction-worker.js', import.meta.url), { workerData: setup });
      let pending = take();
      worker.on('message', (results: Examined[]) => {
        for (const result of results) onResult(result);
        pending = take();
        worker.postMessage(pending);
      });
      worker.on('error', fail);
      worker.on('exit', (code) => (code === 0 ? done() : fail(new Error(`extraction worker ended with ${code}`))));
      worker.postMessage(pending);
    });
  await Promise.all(Array.from({ length: useful }, runWorker));
}
