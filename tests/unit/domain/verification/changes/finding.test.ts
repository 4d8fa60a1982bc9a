import { expect, test } from 'vitest'
import { knownAs, other } from '#server/domain/verification/changes/finding.ts'
import { changeFact } from '#server/domain/verification/codes/change-codes.ts'

const fact = changeFact('metadata-changed')

test('finding: says its page, the first one too, and none where it has none', () => {
  expect(other(5, fact, 1)).toStrictEqual({ level: 'OTHER', object: 5, page: 1, ...fact })
  expect(other('trailer', fact)).toStrictEqual({ level: 'OTHER', object: 'trailer', ...fact })
  expect(knownAs('shadow-hide', other(5, fact))).toMatchObject({ attack: 'shadow-hide' })
})
