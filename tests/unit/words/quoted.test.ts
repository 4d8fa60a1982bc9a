import { expect, test } from 'vitest'
import { quoted } from '#server/words/quoted.ts'

test.each([
  ['quotation marks', 'a” b “c', '“a’ b ‘c”'],
  ['straight quotation marks', 'a" b "c', '“a’ b ’c”'],
  ['marks that resemble them', 'a″b＂cʺd〞e❞f״g˝h', '“a’b’c’d’e’f’g’h”'],
  ['two single marks', "a'' b’’ c′′ d‘‘e", '“a’ b’ c’ d‘e”'],
  ['one apostrophe', "D'Artagnan", "“D'Artagnan”"],
  ['guillemets', 'a» b «c', '“a’ b ‘c”'],
  ['other angle quotes', 'a》b≫c⟫d>>e›f', '“a’b’c’d’e’f”'],
  ['a mark behind an invisible character', 'a\u200b”', '“a’”'],
  ['two single marks around an invisible character', "a'\u200b'", '“a’”'],
  ['nothing to show', '\u200b\u202e', '“sin nombre”'],
])('quoted: %s cannot end the quotation', (_, text, said) => {
  expect(quoted(text)).toBe(said)
})
