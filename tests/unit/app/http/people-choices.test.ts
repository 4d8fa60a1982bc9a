import { expect, test } from 'vitest'
import { peopleChoices } from '#app/http/shown-person.ts'
import { Email } from '#server/domain/identity/email.ts'
import { UserId } from '#server/domain/ids.ts'

const user = (digit: string, firstName: string, lastName: string, email: string) => ({
  ...{ id: UserId.parse(`00000000-0000-4000-8000-00000000000${digit}`), firstName, lastName },
  email: Email.parse(email),
})

test('people of one name: told apart by their e-mail addresses; others are shown by name alone', () => {
  const people = [
    user('1', 'Ana', 'Ruiz', 'ana@notaria.example'),
    user('2', 'Luis', 'Paz', 'luis@notaria.example'),
    user('3', 'Ana', 'Ruiz', 'ana.ruiz@notaria.example'),
  ]
  expect(peopleChoices(people)).toEqual([
    { value: people[0]?.id, label: 'Ana Ruiz (ana@notaria.example)' },
    { value: people[1]?.id, label: 'Luis Paz' },
    { value: people[2]?.id, label: 'Ana Ruiz (ana.ruiz@notaria.example)' },
  ])
})
