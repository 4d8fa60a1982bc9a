import { expect, test } from 'vitest'
import { quoted } from '#server/words/quoted.ts'

test.each([
  ['guillemets', 'a» b «c', '«a” b “c»'],
  ['other angle quotes', 'a》b≫c⟫d>>e›f', '«a”b”c”d”e”f»'],
  ['a guillemet behind an invisible character', 'a\u200b»', '«a”»'],
  ['nothing to show', '\u200b\u202e', '«sin nombre»'],
])('quoted: %s cannot end the quotation', (_, text, said) => {
  expect(quoted(text)).toBe(said)
})
