/*
 * `npm run pictures -- [NAME …]`: draws the pictures of docs/manual.md and README.md anew, or those that are named, from a
 * demo office of its own. They are looked at before they are committed.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { openBrowser } from '#tests/bench/browser.ts'
import { exitWith, parseCommandLine } from '#tests/runner/command-line.ts'
import { ROOT } from '#tests/runner/stages.ts'
import { drawingIn } from './draw.ts'
import { openOffice } from './office.ts'
import { PICTURES } from './pictures.ts'

const FOLDER = path.join(ROOT, 'docs/pictures')
const USAGE = `npm run pictures -- [NAME …]
NAME: ${PICTURES.map(({ name }) => name).join(', ')}`

const { positionals: wanted } = parseCommandLine(USAGE, { allowPositionals: true })
if (wanted.some((name) => PICTURES.every((picture) => picture.name !== name))) exitWith(USAGE, 2)

const office = await openOffice()
const browser = await openBrowser()
try {
  const draw = drawingIn(browser, office)
  mkdirSync(FOLDER, { recursive: true })
  for (const picture of PICTURES) {
    if (wanted.length > 0 && !wanted.includes(picture.name)) continue
    const png = await draw(picture)
    writeFileSync(path.join(FOLDER, `${picture.name}.png`), png)
    console.log(`${picture.name} ${Math.ceil(png.length / 1024)} kB`)
  }
} finally {
  await browser.close()
  await office.stop()
}
