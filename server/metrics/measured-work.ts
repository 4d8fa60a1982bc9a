import { milliseconds } from '#server/domain/time.ts'
import type { Meter } from './meter.ts'

type WorkMeter = Pick<Meter, 'began' | 'worked'>

/** The same work, of which each task tells how long it took, its wait for a worker included. */
export function measuredWork<Work extends object>(work: Work, meter: WorkMeter | undefined): Work {
  if (!meter) return work
  const tasks = Object.entries(work).map(([name, task]) => [name, measured(name, task, meter)])
  return Object.fromEntries(tasks)
}

function measured(name: string, task: unknown, meter: WorkMeter): unknown {
  if (typeof task !== 'function') return task
  return (...given: unknown[]) => {
    const began = performance.now()
    const answer: unknown = task(...given)
    if (!(answer instanceof Promise)) return answer
    meter.began(name)
    return answer.finally(() => meter.worked(name, milliseconds(performance.now() - began)))
  }
}
