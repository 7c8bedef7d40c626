/** Worker thread of extraction.ts: batches of tasks in, results out; an empty batch ends it. */
import { parentPort, workerData } from 'node:worker_threads';
import { type Examined, Examiner, type ExamineTask } from './examine.js';
import type { WorkerSetup } from './extraction.js';

const port = parentPort;
if (!port) throw new Error('extraction-loop.js runs only as a worker thread');
const examiner = new Examiner((workerData as WorkerSetup).source);

port.on('message', async (tasks: ExamineTask[]) => {
  if (tasks.length === 0) {
    examiner.close();
    port.close();
    return;
  }
  const results: Examined[] = [];
  for (const task of tasks) results.push(await examiner.examine(task));
  port.postMessage(results);
});
