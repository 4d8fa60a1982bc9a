import { streamBody, textOf } from './pdf-builders.ts'

const SIDE = 300

/** A picture that is printed all over: dots as large as strokes of letters, apart as letters are. */
export const printedScan = (): string =>
  streamBody(
    textOf(
      Uint8Array.from({ length: SIDE * SIDE }, (_, at) => {
        const [x, y] = [at % SIDE, Math.floor(at / SIDE)]
        return x % 6 < 2 && y % 6 < 2 ? 0 : 255
      }),
    ),
    `/Type/XObject/Subtype/Image/Width ${SIDE}/Height ${SIDE}/ColorSpace/DeviceGray/BitsPerComponent 8`,
  )
