import { describe, expect, test } from 'vitest'
import { edited, look, revised } from '#tests/attacks/deed.ts'
import { LYING_LOOKS } from '#tests/attacks/lying-looks.ts'
import { bodyOf, HARMLESS_LOOKS, plainLook } from '#tests/attacks/mutated-looks.ts'
import { mutatedFile } from '#tests/attacks/mutator.ts'
import { signedDeed } from '#tests/attacks/sign-deed.ts'
import { randomFrom } from '#tests/fuzz/random.ts'
import { examine } from '#tests/oracle/oracle.ts'
import { testPolicy } from '#tests/support/pdf/signed-pdfs.ts'

const SEED = 5
const COUNT = 60

describe('mutated files', () => {
  test('a file is what its seed and number say, with the signed file at its start', async () => {
    for (let number = 0; number < 8; number++) {
      const [one, again] = [await mutatedFile(SEED, number), await mutatedFile(SEED, number)]
      expect(again.name).toBe(one.name)
      expect(one.file.subarray(0, one.signed.length)).toEqual(one.signed)
    }
  })

  test('more than a tenth are called VALID and have to be drawn, and as many are not', async () => {
    const policy = await testPolicy()
    let drawn = 0
    for (let number = 0; number < COUNT; number++) {
      const { name, file } = await mutatedFile(SEED, number)
      if (examine(name, file, policy).doubtful) drawn++
    }
    expect(drawn).toBeGreaterThan(COUNT / 10)
    expect(drawn).toBeLessThan(COUNT * 0.9)
  })
})

describe('mutated looks', () => {
  test('a look without a mutation shows its value: the file is VALID, and its value is listed', async () => {
    const deed = await signedDeed()
    const changes = { ...edited(deed, 5, '(1000)', '(2000)'), 7: bodyOf(plainLook('2000')) }
    const { doubtful } = examine('filled', revised(deed, changes).file, await testPolicy())
    expect(doubtful?.signed[0]?.filled).toEqual(new Map([['Precio', '2000']]))
    expect(bodyOf(plainLook('2000'))).toContain('BT /F1 8 Tf 2 2 Td (2000) Tj ET')
    expect(look('2000')).toContain('BT /F1 8 Tf 2 2 Td (2000) Tj ET')
  })

  test.each([...HARMLESS_LOOKS, ...LYING_LOOKS])(
    'the mutation “%s” changes a look',
    (_, mutate) => {
      const bodies = Array.from({ length: 20 }, (_, stream) => {
        const mutated = plainLook('2000')
        mutate(mutated, randomFrom(SEED, stream))
        return bodyOf(mutated)
      })
      expect(new Set(bodies)).not.toEqual(new Set([bodyOf(plainLook('2000'))]))
    },
  )
})
