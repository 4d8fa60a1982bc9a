import {
  type CheckedKeyAnswer,
  checkKeyAnswer,
  type KeyQuestion,
} from '#server/steps/factors/check-key-answer.ts'
import type { System } from '#server/system.ts'

export type CheckAssertion = Omit<KeyQuestion, 'purpose'>

/** What a key said to a sign-in; or to a session that confirms who it is, for which it must have asked for its PIN. */
export async function checkAssertion(
  system: System,
  asked: CheckAssertion,
): Promise<CheckedKeyAnswer> {
  const purpose = asked.requireUserVerification ? 'step-up' : 'second-factor'
  return await checkKeyAnswer(system, { ...asked, purpose })
}
