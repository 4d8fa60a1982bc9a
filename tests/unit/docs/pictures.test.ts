import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { PICTURES } from '#tests/pictures/pictures.ts'

const ROOT = path.resolve(import.meta.dirname, '../../..')
const FOLDER = path.join(ROOT, 'docs/pictures')
const MOST_BYTES = 1_500_000

const drawn = PICTURES.map(({ name }) => `${name}.png`).toSorted()
const bytesOf = (file: string) => readFileSync(path.join(FOLDER, file))

type Shown = { text: string; target: string }

/** The pictures of a page: what is read instead of each, and its address. */
const shownOn = (page: string): Shown[] =>
  Array.from(
    readFileSync(path.join(ROOT, page), 'utf8').matchAll(/!\[([^\]]*)\]\(([^)]*)\)/g),
    ([, text = '', target = '']) => ({ text, target }),
  )

const manual = shownOn('docs/manual.md')

test('pictures: the folder has a file for each step of the script, and no other', () => {
  expect(new Set(drawn).size).toBe(PICTURES.length)
  expect(readdirSync(FOLDER).toSorted()).toEqual(drawn)
})

test('pictures: the manual shows each of them, and no other picture', () => {
  const targets = manual.map(({ target }) => target)
  expect(targets.toSorted()).toEqual(drawn.map((file) => `pictures/${file}`))
})

test('pictures: each of the manual has a sentence instead, like no other', () => {
  const texts = manual.map(({ text }) => text)
  expect(texts.filter((text) => text.length < 30 || !text.endsWith('.'))).toEqual([])
  expect(new Set(texts).size).toBe(texts.length)
})

test('pictures: those of the README are of the same script', () => {
  const targets = shownOn('README.md').map(({ target }) => target)
  expect(targets).not.toEqual([])
  expect(
    targets.filter((target) => !drawn.includes(path.relative('docs/pictures', target))),
  ).toEqual([])
})

test.each(PICTURES)(
  'picture $name: is a PNG file that its window has room for',
  ({ name, window }) => {
    const file = bytesOf(`${name}.png`)
    expect(file.toString('latin1', 1, 4)).toBe('PNG')
    expect(file.readUInt32BE(16)).toBeLessThanOrEqual(window.width)
    expect(file.readUInt32BE(20)).toBeLessThanOrEqual(window.height)
  },
)

test('pictures: all together are small enough for a clone', () => {
  const sizes = readdirSync(FOLDER).map((file) => bytesOf(file).length)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MOST_BYTES)
})
