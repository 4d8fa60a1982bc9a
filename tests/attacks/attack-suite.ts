import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { VerificationPolicy } from '#server/domain/verification/verify-file.ts'
import { testPolicy } from '#tests/support/pdf/signed-pdfs.ts'
import { type Family, faultOf, outcomeOf } from './attack.ts'

/** One test for every attack, and a line of summary for every family. */
export function testFamilies(families: readonly Family[]): void {
  let policy: VerificationPolicy
  const summary: string[] = []
  beforeAll(async () => {
    policy = await testPolicy()
  })
  afterAll(() => console.info(summary.join('\n')))

  describe.each(families)('$name', ({ name, attacks }) => {
    const wrong: string[] = []
    afterAll(() => {
      const names = wrong.map((one) => `\n    ${one}`).join('')
      summary.push(`${name}: ${attacks.length - wrong.length} right, ${wrong.length} wrong${names}`)
    })

    test.each(attacks)('$name', async ({ name, make, answer, isOpen }) => {
      const fault = faultOf(outcomeOf(await make(), policy), answer)
      if (fault) wrong.push(name)
      if (isOpen) expect(fault, 'answered by now: it is no open attack any more').toBeDefined()
      else expect(fault).toBeUndefined()
    })
  })
}
