import type { Tone } from '#app/ui/feedback/tone.ts'
import {
  type ArcoRequest,
  type ArcoState,
  arcoNumber,
  isExtendable,
} from '#server/domain/care/arco-request.ts'
import type { Day } from '#server/domain/day.ts'
import { formatDay, formatInstant, parseInstant } from '#server/domain/time.ts'
import type { ArcoPageData } from '#server/features/arco/read-arco-request.ts'
import {
  arcoKinds,
  arcoOutcomes,
  arcoStates,
  arcoSteps,
  arcoWays,
  identityWays,
} from '#server/words/care/arco.ts'

const TONES: Record<ArcoState, Tone> = {
  received: 'wait',
  identified: 'note',
  answered: 'wait',
  closed: 'plain',
}

/** `20 nov 2026` */
export const dayText = (day: Day): string => formatDay(parseInstant(day), 'UTC')

/** A request as lists show it. */
export const rowOf = (request: ArcoRequest, today: Day) => ({
  id: request.id as string,
  number: arcoNumber(request),
  kind: arcoKinds[request.kind],
  name: request.name,
  state: { tone: TONES[request.state], word: arcoStates[request.state] },
  received: dayText(request.receivedOn),
  due: dueText(request, today),
})

function dueText({ dueOn }: Pick<ArcoRequest, 'dueOn'>, today: Day) {
  if (dueOn === null) return undefined
  return { text: dayText(dueOn), isLate: dueOn < today }
}

/** A request as its page shows it, with times in the office's time zone. */
export function pageOf({ office, request, steps, package: made, today }: ArcoPageData) {
  const { timeZone } = office
  const { identity, answer, terms } = request
  return {
    ...rowOf(request, today),
    ...{ asked: request.asked, rfc: request.rfc, email: request.email, today },
    way: arcoWays[request.way],
    isAccess: request.kind === 'access',
    isAwaitingIdentity: request.state === 'received',
    isAwaitingAnswer: request.state === 'received' || request.state === 'identified',
    isAwaitingEffect: request.state === 'answered',
    isExtendable: isExtendable(request) && (request.dueOn ?? today) >= today,
    isProven: identity !== null,
    identity: identity && {
      text: `${identityWays[identity.how]}, el ${dayText(identity.on)}`,
      note: identity.note,
    },
    answer: answer && {
      outcome: arcoOutcomes[answer.outcome],
      text: answer.text,
      reason: answer.reason,
      on: dayText(answer.on),
    },
    terms: `${terms.answerDays} días hábiles para responder y ${terms.effectDays} para hacerla efectiva (${terms.source}, ${dayText(terms.sourceDay)})`,
    steps: steps.map(({ kind, at, byName, note }, index) => ({
      ...{ id: index, text: `${byName} ${arcoSteps[kind]}`, note },
      when: { at, text: formatInstant(at, timeZone) },
    })),
    package: made && {
      state: made.state,
      file: made.file && {
        name: made.file.name,
        until: formatDay(made.file.expiresAt, timeZone),
      },
    },
  }
}
export type ArcoView = ReturnType<typeof pageOf>
