import { expect, test } from 'vitest'
import { readConfig } from '#server/config.ts'
import type { DemoFiles } from '#server/demo/demo-files.ts'
import { describeDemo, welcomeTo } from '#server/demo/describe-demo.ts'
import { DEMO_PASSWORD, GUEST, PEOPLE } from '#server/demo/people.ts'

const config = readConfig('demo', { PORT: '3210' })
const filesOf = (slug: string) => ({
  ...{ cer: `/datos/${slug}.cer`, key: `/datos/${slug}.key`, keyPassword: `clave de ${slug}` },
})
const files = {
  efirmas: new Map([...PEOPLE, GUEST].map(({ slug }) => [slug, filesOf(slug)])),
  refused: [],
} as unknown as DemoFiles

const welcome = (link: string | null) =>
  welcomeTo(describeDemo(config, files, PEOPLE, link), '/datos/demo.json')

test('welcome: names each user with what to try, the one password and the address', () => {
  const text = welcome(null)
  expect(text).toContain('Abra http://localhost:3210\n')
  expect(text).toContain(`contraseña de todas: ${DEMO_PASSWORD}`)
  for (const { email, firstName, lastName, tries } of PEOPLE) {
    const row = text.split('\n').find((line) => line.startsWith(`  ${email} `))
    expect(row).toContain(`${firstName} ${lastName}`)
    expect(row?.endsWith(`  ${tries}`)).toBe(true)
  }
})

test('welcome: says how to make the first signature, with files and password', () => {
  const [first] = PEOPLE
  const text = welcome(null)
  expect(text).toContain(`entre como ${first?.email}`)
  const { cer, key, keyPassword } = filesOf(first?.slug ?? '')
  for (const one of [cer, key, keyPassword]) expect(text).toContain(one)
  expect(text).toContain('/datos/demo.json')
})

test('welcome: has the link of the external signer with their files until they have signed', () => {
  const { cer, key, keyPassword } = filesOf(GUEST.slug)
  const text = welcome('http://localhost:3210/sign#1')
  for (const one of ['http://localhost:3210/sign#1', GUEST.firstName, cer, key, keyPassword])
    expect(text).toContain(one)
  expect(welcome(null)).not.toContain(cer)
  expect(text).not.toMatch(/undefined|null/)
})
