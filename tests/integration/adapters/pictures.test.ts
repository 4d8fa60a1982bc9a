import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { degrees, PDFDocument, rgb } from '@cantoo/pdf-lib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createFileBlobs } from '#server/adapters/blobs-files.ts'
import { createPdfWork } from '#server/adapters/pdf-work.ts'
import { Problem } from '#server/domain/problem.ts'
import type { ReadableFile } from '#server/ports/blobs.ts'
import { testKeyParts } from '#tests/support/file-records.ts'
import { bodiesWithPages, pdfWithTable, streamBody } from '#tests/support/pdf/pdf-builders.ts'
import { writeSparseScan } from '#tests/support/pdf/sparse-scan.ts'
import { decodePng } from '#tests/support/png.ts'
import { plainFile } from '#tests/support/stored-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'rubrica-pictures-'))
const work = createPdfWork({ threads: 1 })
afterAll(async () => {
  await work.close()
  rmSync(folder, { recursive: true })
})

function file(name: string, bytes: Uint8Array): ReadableFile {
  const path = join(folder, name)
  writeFileSync(path, bytes)
  return plainFile(path)
}

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => (error instanceof Problem ? error.code : error),
  )

describe('large files', () => {
  let large: ReadableFile
  beforeAll(() => {
    const path = join(folder, 'large.pdf')
    writeSparseScan(path, { pages: 500, side: 647 })
    large = plainFile(path)
  })

  test('a file of 200 MB and 500 pages: first, middle and last page are drawn', async () => {
    expect(large.length).toBeGreaterThan(200e6)
    for (const page of [1, 250, 500]) {
      const { width, height, pixels } = decodePng(await work.picture(large, { page, width: 200 }))
      expect([width, height]).toEqual([200, 200])
      expect(new Set(pixels)).toEqual(new Set([0]))
    }
    expect(await codeOf(work.picture(large, { page: 501, width: 200 }))).toBe('not-found')
    expect(await work.pageSizes(large)).toHaveLength(500)
  })

  test('twenty readers of a file of 200 MB each get their page', async () => {
    const pages = Array.from({ length: 20 }, (_, index) => index * 25 + 1)
    const drawn = await Promise.all(pages.map((page) => work.picture(large, { page, width: 64 })))
    expect(new Set(drawn.map((one) => decodePng(one).width))).toEqual(new Set([64]))
  })

  test('a scan that needs more memory than the heap is too complex; the next page is drawn', async () => {
    const path = join(folder, 'vast.pdf')
    writeSparseScan(path, { pages: 1, side: 12_000, points: 2400, isColoured: true })
    expect(await codeOf(work.picture(plainFile(path), { page: 1, width: 200 }))).toBe(
      'pdf-too-complex',
    )
    expect(decodePng(await work.picture(large, { page: 2, width: 64 })).width).toBe(64)
  })

  test('a sealed file with one wrong byte is damaged on the disk: no finding about the PDF', async () => {
    const path = join(folder, 'sealed.pdf')
    writeSparseScan(path, { pages: 3, side: 400 })
    const blobs = await createFileBlobs(join(folder, 'blobs'), testKeyParts())
    const { file: sealed } = await blobs.stage([readFileSync(path)], 10e6)
    expect(decodePng(await work.picture(sealed, { page: 2, width: 64 })).width).toBe(64)
    const bytes = readFileSync(sealed.path)
    bytes[bytes.length >> 1]! ^= 1
    writeFileSync(sealed.path, bytes)
    expect(await codeOf(work.picture(sealed, { page: 2, width: 64 }))).toBe('stored-file-damaged')
  })
})

describe('parts and turns', () => {
  let corners: ReadableFile
  beforeAll(async () => {
    const document = await PDFDocument.create()
    const page = document.addPage([400, 200])
    page.drawRectangle({ x: 0, y: 100, width: 200, height: 100, color: rgb(1, 0, 0) })
    page.drawRectangle({ x: 200, y: 0, width: 200, height: 100, color: rgb(0, 0, 1) })
    document.addPage([400, 200]).setRotation(degrees(90))
    corners = file('corners.pdf', await document.save())
  })

  const RED = [255, 0, 0]
  const BLUE = [0, 0, 255]
  const WHITE = [255, 255, 255]

  async function coloursAt(of: Parameters<typeof work.picture>[1]) {
    const { width, height, at } = decodePng(await work.picture(corners, of))
    const [left, right, top, bottom] = [2, width - 3, 2, height - 3]
    return {
      width,
      height,
      corners: [at(left, top), at(right, top), at(left, bottom), at(right, bottom)],
    }
  }

  test('turned clockwise by quarters, the upper left corner moves to the upper right', async () => {
    expect(await coloursAt({ page: 1, width: 100 })).toEqual({
      width: 100,
      height: 50,
      corners: [RED, WHITE, WHITE, BLUE],
    })
    expect(await coloursAt({ page: 1, width: 100, rotate: 90 })).toEqual({
      width: 100,
      height: 200,
      corners: [WHITE, RED, BLUE, WHITE],
    })
    const upsideDown = await coloursAt({ page: 1, width: 100, rotate: 180 })
    expect(upsideDown.corners).toEqual([BLUE, WHITE, WHITE, RED])
  })

  test.each([
    [0, 0, RED],
    [0, 1, WHITE],
    [1, 0, WHITE],
    [1, 1, BLUE],
  ])('the part %s, %s of four has its colour alone', async (row, column, colour) => {
    const region = { parts: 2, row, column } as const
    const { width, height, at } = decodePng(
      await work.picture(corners, { page: 1, width: 300, region }),
    )
    expect([width, height]).toEqual([300, 150])
    for (const [x, y] of [
      [3, 3],
      [296, 146],
      [150, 75],
    ] as const)
      expect(at(x, y)).toEqual(colour)
  })

  test.each([
    [2, 2, 0],
    [2, 0, -1],
    [4, 0, 4],
    [2, 0.5, 0],
  ])('of %s parts, row %s and column %s are not found', async (parts, row, column) => {
    const region = { parts: parts as 2 | 4, row, column }
    expect(await codeOf(work.picture(corners, { page: 1, width: 100, region }))).toBe('not-found')
  })

  test('sizes are those after the rotation of the page', async () => {
    expect(await work.pageSizes(corners)).toEqual([
      { width: 400, height: 200 },
      { width: 200, height: 400 },
    ])
  })
})

describe('the text of a page', () => {
  test('its lines in order, each with its place in points from the upper left corner', async () => {
    const { width, height, lines, isCut } = await work.pageText(
      file('text.pdf', pdfWithTable(bodiesWithPages(2))),
      2,
    )
    expect([width, height, isCut]).toEqual([300, 300, false])
    expect(lines).toHaveLength(1)
    const [line] = lines
    expect(line!.text).toBe('Page 2')
    expect(line!.x).toBeCloseTo(30, -1)
    expect(line!.y).toBeCloseTo(150, -1)
    expect(line!.width).toBeGreaterThan(60)
    expect(line!.size).toBeGreaterThan(20)
  })

  test('accents are whole; characters that change the direction of the text are taken out', async () => {
    const document = await PDFDocument.create()
    const page = document.addPage([600, 200])
    page.drawText('Escritura pública de Muñoz\nNº 47, ¿de quién?', { x: 20, y: 150, size: 14 })
    const { lines } = await work.pageText(file('accents.pdf', await document.save()), 1)
    expect(lines.map(({ text }) => text)).toEqual([
      'Escritura pública de Muñoz',
      'Nº 47, ¿de quién?',
    ])
  })

  test('a picture has no text; a page that is not there is not found', async () => {
    const path = join(folder, 'scan.pdf')
    writeSparseScan(path, { pages: 1, side: 100 })
    expect((await work.pageText(plainFile(path), 1)).lines).toEqual([])
    expect(await codeOf(work.pageText(plainFile(path), 2))).toBe('not-found')
  })

  test('a page with 100,000 letters is cut, and says so', async () => {
    const bodies = bodiesWithPages(1)
    const rows = Array.from({ length: 500 }, () => `0 -0.4 Td (${'x'.repeat(200)}) Tj`).join('\n')
    const many = pdfWithTable({ ...bodies, 11: streamBody(`BT /F1 0.4 Tf 10 290 Td ${rows} ET`) })
    const { lines, isCut } = await work.pageText(file('many.pdf', many), 1)
    expect(isCut).toBe(true)
    expect(lines.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(20_000)
    expect(lines.length).toBeLessThanOrEqual(2_000)
  })
})

test('a page that is not in the file: the others are drawn and have a size', async () => {
  const { 12: _, ...bodies } = bodiesWithPages(3)
  const path = file('missing.pdf', pdfWithTable(bodies))
  expect(decodePng(await work.picture(path, { page: 1, width: 60 })).width).toBe(60)
  expect(decodePng(await work.picture(path, { page: 3, width: 60 })).width).toBe(60)
  const [first, missing, last] = await work.pageSizes(path)
  expect([first, missing, last]).toEqual([
    { width: 300, height: 300 },
    { width: 0, height: 0 },
    { width: 300, height: 300 },
  ])
})

test('a page whose picture is damaged: the others are drawn', async () => {
  const bodies = bodiesWithPages(3)
  const broken = pdfWithTable({ ...bodies, 14: '<</Type/Page/Parent 2 0 R/Contents 15 0 R>>' })
  const path = file('broken.pdf', broken)
  expect(decodePng(await work.picture(path, { page: 1, width: 60 })).width).toBe(60)
  expect(decodePng(await work.picture(path, { page: 2, width: 60 })).width).toBe(60)
  expect(readFileSync(path.path)).toHaveLength(path.length)
})
