import type { Campaign } from '#tests/campaign/campaign.ts'
import { randomFrom } from '#tests/fuzz/random.ts'
import { type HostileFile, hostileFiles } from './files.ts'
import { aShot, type Shot } from './shots.ts'
import { startTarget, type Target, TooLate } from './target.ts'

/*
 * Sends the production server what no honest program sends. It must answer each input without an error of its own, keep
 * answering others meanwhile, and hold no more memory than it may.
 */

const COUNT = 100_000
/** Then the office is made anew: inputs that are accepted fill its disk. */
const SHOTS_AN_OFFICE = 5_000
/** Then everybody signs in again: forms of the settings ask for a recent proof. */
const SHOTS_A_SESSION = 500

export async function startHostile(seed: number): Promise<Campaign> {
  let target = await startTarget()
  let file: HostileFile = await hostileFiles(target.notary)
  let shots = 0
  const answers: Record<string, number> = {}
  const largest = { 'ms of wait at most': 0, 'MiB at most': 0 }
  const renew = async () => {
    await target.stop()
    target = await startTarget()
    file = await hostileFiles(target.notary)
  }
  return {
    count: COUNT,
    figures: () => ({ ...answers, ...largest }),
    async tryOne(number) {
      shots += 1
      if (shots % SHOTS_AN_OFFICE === 0) await renew()
      else if (shots % SHOTS_A_SESSION === 0) await target.refresh()
      const shot = shotOf(target, file, seed, number)
      const faults = await fire(target, shot, seed, number, answers)
      for (const [name, value] of Object.entries(target.watch.figures()))
        largest[name as keyof typeof largest] = Math.max(
          largest[name as keyof typeof largest],
          value,
        )
      const found = [...faults, ...target.watch.faults()]
      if (target.server.hasEnded()) await renew()
      return found.map(
        (fault) =>
          `${shot.family}, ${shot.as}, ${shot.method} ${shot.path.slice(0, 200)}: ${fault}`,
      )
    },
    end: async () => [],
    close: () => target.stop(),
  }
}

function shotOf(target: Target, file: HostileFile, seed: number, number: number): Shot {
  const { forms, calls, origin, notary } = target
  const ammunition = {
    ...{ forms, calls, file, keyPassword: notary.keyPassword },
    host: origin.slice('http://'.length),
  }
  return aShot(randomFrom(seed, number), ammunition)
}

async function fire(
  target: Target,
  shot: Shot,
  seed: number,
  number: number,
  answers: Record<string, number>,
): Promise<string[]> {
  const count = (name: string) => {
    answers[name] = (answers[name] ?? 0) + 1
  }
  try {
    // Another stream of numbers: the address is no part of the input.
    const answer = await target.send(shot, randomFrom(seed + 1_000_000, number))
    if (target.server.hasEnded())
      return [`the server has ended: ${target.server.logged().slice(-2_000)}`]
    if (!answer) {
      count('closed')
      return []
    }
    count(`${String(answer.status)[0]}xx`)
    const isBusy = answer.status === 503
    return answer.status >= 500 && !isBusy
      ? [`answered ${answer.status}: ${lastFailure(target.server.logged())}`]
      : []
  } catch (error) {
    if (error instanceof TooLate) return [error.message]
    throw error
  }
}

/** The last line of the log about an error. */
function lastFailure(log: string): string {
  const lines = log.trimEnd().split('\n')
  return (
    lines.findLast((line) => line.includes('"level":50'))?.slice(0, 1_500) ?? 'nothing is logged'
  )
}
