import { encode } from 'uqr'
import { expect, test } from 'vitest'
import { LOOK, qrCode } from '#server/domain/signing/qr-code.ts'

test('the path paints exactly the dark modules', () => {
  const text = 'https://rubrica.example.mx/verify/3f0e7f0a-52c4-4b54-9f0e-6d1c92d5a7b1'
  const { size, path } = qrCode(text)
  const painted = Array.from({ length: size }, () => Array<boolean>(size).fill(false))
  for (const [, x, y, length] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g))
    painted[Number(y)]!.fill(true, Number(x), Number(x) + Number(length))
  expect(painted).toEqual(encode(text, LOOK).data)
})
