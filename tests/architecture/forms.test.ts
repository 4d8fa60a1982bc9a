import { expect, test } from 'vitest'
import { sourceOf, sourcesIn } from './sources.ts'

/** They have no field in which something is typed, and the way out must never wait for a script. */
const WITHOUT_FIELDS = [
  'app/ui/frame/sign-out.tsx',
  'app/ui/frame/theme-switch.tsx',
  'app/ui/shell/avatar-menu.tsx',
]

test('forms: each one that changes something is a PostForm, so that nothing typed is lost', () => {
  const own = sourcesIn('app').filter((file) =>
    /<[Ff]orm\b[^>]*method="post"/s.test(sourceOf(file)),
  )
  expect(own.sort()).toEqual(['app/ui/forms/post-form.tsx', ...WITHOUT_FIELDS])
})
