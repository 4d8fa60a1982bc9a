/**
 * Lines are broken where they must, and letters drawn one by one: texts are compared without their spaces. A raised
 * digit is no other way to write a digit, and a soft hyphen is drawn.
 */
export const plain = (text: string) =>
  PLAIN.test(text)
    ? text
    : text
        .normalize('NFC')
        .replace(/[\ufb00-\ufb06]/gu, (ligature) => ligature.normalize('NFKC'))
        .replace(/[\s\u200b]+/gu, '')

/** Words without spaces, as most values are. */
const PLAIN = /^[!-~]*$/
