import { expect, test } from 'vitest'
import {
  type Generation,
  judgeRefresh,
  MOST_LATER,
  type RefreshJudgement,
  type RotationCause,
} from '#server/domain/identity/refresh.ts'
import { after, seconds } from '#server/domain/time.ts'
import { MORNING } from '#tests/support/builders.ts'

/** As a history: each generation came for a cause, and its access token was used or not. */
type Step = `${RotationCause}${'' | ' used'}`

function judged(steps: readonly Step[], secondsAfterReplacement: number): RefreshJudgement {
  const generations = steps.map((step, index): Generation => {
    const [cause, used] = step.split(' ') as [RotationCause, string?]
    return {
      number: index + 1,
      cause,
      replacedAt: index < steps.length - 1 ? MORNING : null,
      usedAt: used ? MORNING : null,
    }
  })
  const [presented, ...later] = generations as [Generation, ...Generation[]]
  return judgeRefresh(presented, later, after(MORNING, seconds(secondsAfterReplacement)))
}

const many = Array<Step>(MOST_LATER).fill('refresh')

/* The first generation is the one whose token came; what follows was given out after it. */
test.each<[string, Step[], number, RefreshJudgement]>([
  ['the newest', ['sign-in'], 0, 'rotate'],
  ['the newest, used', ['sign-in used'], 0, 'rotate'],
  ['the newest, long after', ['refresh used'], 36_000, 'rotate'],
  ['the newest after a proof', ['step-up used'], 36_000, 'rotate'],

  ['another tab at once', ['sign-in used', 'refresh'], 0, 'repeat'],
  ['another tab, the other one goes on', ['sign-in used', 'refresh used'], 29.999, 'repeat'],
  ['another tab, too late', ['sign-in used', 'refresh used'], 30, 'reuse'],
  ['a lost answer', ['sign-in used', 'refresh'], 30, 'repeat'],
  ['a lost answer, hours later', ['refresh used', 'refresh'], 36_000, 'repeat'],
  ['never used itself, and the answer lost', ['refresh', 'refresh'], 36_000, 'repeat'],

  ['two exchanges at once behind', ['sign-in used', 'refresh', 'refresh'], 29, 'repeat'],
  ['two behind, used', ['sign-in used', 'refresh used', 'refresh used'], 29, 'repeat'],
  ['two behind, after the grace', ['sign-in used', 'refresh', 'refresh'], 30, 'reuse'],
  ['many behind', ['sign-in', 'refresh', 'refresh', 'refresh', 'refresh used'], 3600, 'reuse'],

  ['on its way during a proof', ['sign-in used', 'step-up'], 0, 'superseded'],
  ['on its way during a proof, used', ['refresh used', 'step-up used'], 29.999, 'superseded'],
  ['before a proof, late', ['refresh used', 'step-up used'], 30, 'reuse'],
  ['before a proof whose answer was lost', ['refresh used', 'step-up'], 30, 'reuse'],
  ['before a proof and an exchange', ['sign-in', 'step-up', 'refresh'], 10, 'superseded'],
  ['before an exchange and a proof', ['sign-in', 'refresh', 'step-up'], 10, 'superseded'],
  ['before both, late', ['sign-in', 'refresh', 'step-up'], 31, 'reuse'],
  ['more behind than are read', ['sign-in used', ...many], 29, 'superseded'],
  ['more behind than are read, late', ['sign-in used', ...many], 30, 'reuse'],
])('%s', (_, steps, after, judgement) => {
  expect(judged(steps, after)).toBe(judgement)
})
