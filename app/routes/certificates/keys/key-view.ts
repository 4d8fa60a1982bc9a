import { curveName } from '#app/routes/certificates/object-names.ts'
import type { UserId } from '#server/domain/ids.ts'
import { formatDay, formatInstant } from '#server/domain/time.ts'
import { mayMove } from '#server/domain/yubikeys/yubikey.ts'
import type { KeyCredential, YubikeyDetail } from '#server/features/yubikeys/read-yubikey.ts'
import {
  formFactors,
  outlookOfLoss,
  pinPolicies,
  sentenceOfChange,
  sentenceOfOrigin,
  slotName,
  touchPolicies,
  variants,
  wordsOfVerdict,
} from '#server/words/yubikeys.ts'

export type KeyView = ReturnType<typeof keyView>

/** A key in es-MX, in the office's time zone. */
export function keyView(detail: YubikeyDetail) {
  const { yubikey, holder, may, timeZone: zone } = detail
  const { id, serial, model, firmware, state, version } = yubikey
  const nameOf = (user: UserId) => detail.names.get(user) ?? 'una persona'
  return {
    ...{ id, serial, model, firmware, state, version },
    form: yubikey.formFactor && formFactors[yubikey.formFactor],
    since: formatInstant(yubikey.stateSince, zone),
    by: nameOf(yubikey.stateBy),
    holder: holder && { ...holder, isOneself: may.manageOwn },
    hasMakerRoot: detail.hasMakerRoot,
    attestations: detail.attestations.map(attestationView),
    credentials: credentialsView(detail),
    history: {
      changes: detail.changes.map((change) => ({
        version: change.version,
        at: change.at,
        when: formatInstant(change.at, zone),
        what: sentenceOfChange(
          change.kind,
          change.holderId && (detail.names.get(change.holderId) ?? null),
        ),
        note: change.note,
        by: nameOf(change.by),
        receipt: change.kind === 'handed-over',
      })),
      next: detail.next,
    },
    certificate: detail.certificate && {
      ...{ id: detail.certificate.id, name: detail.certificate.name },
      number: detail.certificate.number,
      origin: sentenceOfOrigin(detail.certificate.origin),
      tone: ORIGIN_TONES[detail.certificate.origin.kind],
    },
    certificates: detail.certificates.filter(({ id }) => id !== detail.certificate?.id),
    people: detail.people,
    may: {
      ...may,
      handOver: may.manage && mayMove(yubikey, 'handed-over'),
      takeBack: may.manage && mayMove(yubikey, 'taken-back'),
      takeIn: may.manage && mayMove(yubikey, 'found'),
      report: (may.manage || may.manageOwn) && mayMove(yubikey, 'lost'),
      retire: may.manage && mayMove(yubikey, 'retired'),
      attest: may.manage && state !== 'retired',
    },
  }
}

const ORIGIN_TONES = { 'made-inside': 'good', unproven: 'wait', 'not-attested': 'note' } as const

function attestationView({ facts, verdict, key, version }: YubikeyDetail['attestations'][number]) {
  const variant = facts.variant && variants[facts.variant]
  return {
    ...{ version, slot: slotName(facts.slot), verdict: verdict.kind, ...wordsOfVerdict(verdict) },
    pin: pinPolicies[facts.pinPolicy],
    touch: touchPolicies[facts.touchPolicy],
    serial: facts.serial ?? 'La llave no lo revela',
    firmware: facts.firmware,
    form: [facts.formFactor && formFactors[facts.formFactor], variant].filter(Boolean).join(' · '),
    key: keyText(key),
    isWeak: key.isWeak,
    isTest: verdict.kind === 'proven' && verdict.forTesting,
    authorities: verdict.kind === 'proven' ? verdict.authorities.map(({ name }) => name) : [],
  }
}

function keyText({ kind, bits, curve }: YubikeyDetail['attestations'][number]['key']): string {
  if (bits !== null) return `RSA de ${bits} bits`
  if (curve !== null) return `Curva elíptica ${curveName(curve)}`
  return kind === 'ec' ? 'Curva elíptica' : kind === 'ed25519' ? 'Ed25519' : 'De otro tipo'
}

function credentialsView({ credentials, may, timeZone }: YubikeyDetail) {
  if (!credentials) return null
  const shown = ({ id, name, createdAt, state }: KeyCredential) => ({
    ...{ id, name, isSuspect: state === 'suspect' },
    added: `Agregada el ${formatDay(createdAt, timeZone)}.`,
  })
  return {
    linked: credentials.linked.map(shown),
    others: credentials.others.map(shown),
    outlook: outlookOfLoss(credentials.end, may.manageOwn),
  }
}
