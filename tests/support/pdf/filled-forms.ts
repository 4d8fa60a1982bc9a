import { type Deed, deedBodies, layOut, revised } from '#tests/attacks/deed.ts'
import { signDeed } from '#tests/attacks/sign-deed.ts'
import { type Bodies, streamBody } from './pdf-builders.ts'

/** Numbers from here on are free. */
const FIRST = 100
/** In a grid beside what the page has; those after them lie over the first ones. */
const [COLUMNS, PLACES] = [4, 160] as const

/** A signed deed with many text fields on one page, all of them filled in a revision after the signature. */
export async function filledForm(count: number): Promise<Deed> {
  const plain = deedBodies()
  const numbers = Array.from({ length: count }, (_, at) => FIRST + 2 * at)
  const references = numbers.map((number) => `${number} 0 R`).join(' ')
  const field = (number: number, value: string) => {
    const place = ((number - FIRST) / 2) % PLACES
    const [left, bottom] = [110 + (place % COLUMNS) * 47, Math.floor(place / COLUMNS) * 7]
    return `<</FT/Tx/T(c${number})${value}/Type/Annot/Subtype/Widget/F 4/Rect[${left} ${bottom} ${left + 45} ${bottom + 6}]/P 10 0 R/AP<</N ${number + 1} 0 R>>>>`
  }
  const look = (text: string) =>
    streamBody(
      `/Tx BMC q 0 0 45 6 re W n BT /F1 5 Tf 0 g 2 1 Td (${text}) Tj ET Q EMC`,
      '/Type/XObject/Subtype/Form/BBox[0 0 45 6]/Resources<</Font<</F1 3 0 R>>>>',
    )
  const all = (value: string, text: (number: number) => string): Bodies =>
    Object.fromEntries(
      numbers.flatMap((number) => [
        [number, field(number, value.replace('N', String(number)))],
        [number + 1, look(text(number))],
      ]),
    )
  const bodies: Bodies = {
    ...plain,
    ...all('', () => ''),
    8: plain[8]!.replace('34 0 R]', `34 0 R ${references}]`),
    10: plain[10]!.replace('19 0 R]', `19 0 R ${references}]`),
  }
  const signed = await signDeed(layOut(bodies, 'table'), { number: FIRST + 2 * count })
  return revised(signed, all('/V(N)', String))
}
