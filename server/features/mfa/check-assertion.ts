import {
  type CheckedKeyAnswer,
  checkKeyAnswer,
  type KeyQuestion,
} from '#server/steps/factors/check-key-answer.ts'
import type { System } from '#server/system.ts'

export type CheckAssertion = Omit<KeyQuestion, 'purpose'>

/** Checks an assertion for a sign-in or a step-up; a step-up requires user verification. */
export async function checkAssertion(
  system: Pick<System, 'db' | 'clock' | 'webauthn'>,
  asked: CheckAssertion,
): Promise<CheckedKeyAnswer> {
  const purpose = asked.requireUserVerification ? 'step-up' : 'second-factor'
  return await checkKeyAnswer(system, { ...asked, purpose })
}
