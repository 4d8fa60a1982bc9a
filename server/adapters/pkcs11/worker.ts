/*
 * The process in which a vendor's module runs: started for one user and one task, and ended when the task is
 * done or the module does not answer. It talks to its parent only.
 */
import { TokenError } from '#server/domain/signing/token-refusal.ts'
import { loadCryptoki } from './cryptoki.ts'
import type { Question, Reply } from './messages.ts'
import { tokensOf } from './token.ts'

const [, , module = ''] = process.argv
let tokens: ReturnType<typeof tokensOf> | undefined

process.on('message', (question: Question) => {
  process.send?.(replyTo(question))
})
// An interrupt at a terminal reaches the whole process group: the parent decides when this process ends.
process.on('SIGINT', () => undefined)
// The parent is gone, however that came: a module must not outlive it.
process.on('disconnect', () => process.exit(0))

function replyTo(question: Question): Reply {
  try {
    tokens ??= tokensOf(load())
    return { kind: 'value', value: answer(tokens, question) }
  } catch (error) {
    if (error instanceof TokenError)
      return { kind: 'refused', code: error.code, message: error.message }
    // By its name alone: what a library says of its arguments could hold the PIN.
    return { kind: 'refused', code: 'token-failed', message: `${question.kind}: ${nameOf(error)}` }
  }
}

function load() {
  try {
    return loadCryptoki(module)
  } catch (error) {
    throw new TokenError('module-unusable', error instanceof Error ? error.message : 'no module')
  }
}

function answer(opened: ReturnType<typeof tokensOf>, question: Question): unknown {
  if (question.kind === 'certificates') return opened.certificates(question.token)
  if (question.kind === 'login') return opened.login(question.slot, question.pin)
  return opened.sign(question)
}

const nameOf = (error: unknown) => (error instanceof Error ? error.name : typeof error)
