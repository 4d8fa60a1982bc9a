/** Does one of the tasks; must await `turn` before it writes. */
type Perform<Task> = (task: Task, turn: () => Promise<void>) => Promise<void>

/**
 * Performs tasks so that they write in their order, and read and reckon at the same time: the log tells them in order, and the
 * threads that read files are busy.
 *
 * @param keyOf tasks of one key begin one after the other; a task without a key begins when all before it are done
 * @throws the first error, after all tasks that had begun have ended
 */
export async function performInTurn<Task>(
  tasks: readonly Task[],
  atOnce: number,
  keyOf: (task: Task) => unknown,
  perform: Perform<Task>,
): Promise<void> {
  const ends = new Map<unknown, Promise<void>>()
  const running = new Set<Promise<void>>()
  let allBefore = Promise.resolve()
  for (const task of tasks) {
    while (running.size >= atOnce) await Promise.race(running)
    const [key, before] = [keyOf(task), allBefore]
    const start = key === undefined ? before : (ends.get(key) ?? Promise.resolve())
    const own = start.then(() => perform(task, () => before))
    const end = Promise.all([before, own]).then(() => undefined)
    // The last one tells the error.
    end.catch(() => undefined)
    ends.set(key, end)
    allBefore = end
    running.add(end)
    end.finally(() => running.delete(end)).catch(() => undefined)
  }
  await allBefore
}
