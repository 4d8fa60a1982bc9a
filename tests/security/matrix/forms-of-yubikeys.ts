import type { KeyForm } from '#app/routes/certificates/keys/key-forms.ts'
import type { Action } from '#server/domain/policy/authorize.ts'
import { fileForm, form, ownForm, REASON } from './asked-form.ts'
import type { Asked } from './request.ts'
import type { Things } from './world.ts'

const KEYS = '/dashboard/certificates/keys'
type Fields = Readonly<Record<string, string>>

/** A form on the page of a key, as it was seeded. */
const ofKey =
  (which: 'yubikey' | 'heldYubikey', version: string, rule: Action = 'yubikeys.manage') =>
  (intent: string, fields: (things: Things) => Fields = () => ({})) =>
    form(
      rule,
      (things) => `${KEYS}/${things[which]}`,
      (things) => ({ intent, version, ...fields(things) }),
    )
const inStock = ofKey('yubikey', '1')
const held = ofKey('heldYubikey', '2')

export const yubikeyForms = {
  'routes/certificates/keys/new': {
    register: fileForm('yubikeys.manage', `${KEYS}/new`, {
      files: ['statement'],
      fields: {
        ...{ serial: '77', model: 'YubiKey 5C', firmware: '', formFactor: '' },
        once: '00000000-0000-4000-8000-000000000077',
      },
    }),
  },
  'routes/certificates/keys/key': {
    'hand-over': inStock('hand-over', ({ user: holderId }) => ({ holderId })),
    'take-back': held('take-back'),
    link: held('link', ({ otherCredential: credentialId }) => ({ credentialId })),
    unlink: held('unlink', ({ linkedCredential: credentialId }) => ({ credentialId })),
    'link-certificate': held('link-certificate', ({ holdersCertificate: certificateId }) => ({
      certificateId,
    })),
    'unlink-certificate': held('unlink-certificate', ({ holdersCertificate: certificateId }) => ({
      certificateId,
    })),
    lost: held('lost'),
    'lost own': ownForm('yubikeys.manage-own', (_, { own }) => `${KEYS}/${own.yubikey}`, {
      ...{ intent: 'lost', version: '2' },
    }),
    retire: held('retire', () => ({ reason: REASON })),
  } satisfies Record<KeyForm['intent'] | 'lost own', Asked>,
  'routes/certificates/keys/attestation': {
    attach: fileForm('yubikeys.manage', ({ yubikey }) => `${KEYS}/${yubikey}/attestation`, {
      ...{ files: ['statement'], fields: { version: '1' }, whose: 'office' },
    }),
  },
  'routes/certificates/keys/makers': {
    // The other office has no such certificate.
    remove: form('yubikeys.manage', `${KEYS}/makers`, ({ maker: sha256 }) => ({
      ...{ sha256, reason: REASON },
    })),
  },
  'routes/certificates/keys/new-maker': {
    add: fileForm('yubikeys.manage', `${KEYS}/makers/new`, { fields: { reason: REASON } }),
  },
}
