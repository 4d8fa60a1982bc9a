/** Lines are broken where they must, and letters drawn one by one: texts are compared without their spaces. */
export const plain = (text: string) => text.normalize('NFKC').replace(/[\s\u200b\u00ad]+/gu, '')
