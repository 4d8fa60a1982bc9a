import { parentPort } from 'node:worker_threads'
import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import * as common from '@zxcvbn-ts/language-common'
import * as spanish from '@zxcvbn-ts/language-es-es'
import { LONGEST_PASSWORD } from '#server/domain/identity/password.ts'
import { patternOf } from '#server/domain/identity/passwords/patterns.ts'
import { COMMON_PASSWORDS } from './common-passwords.ts'
import type { RatingAnswer, RatingTask } from './task.ts'

const estimator = new ZxcvbnFactory({
  dictionary: { ...common.dictionary, ...spanish.dictionary },
  graphs: common.adjacencyGraphs,
  maxLength: LONGEST_PASSWORD,
})

parentPort?.on('message', ({ password, words }: RatingTask) => {
  const { score, feedback, sequence } = estimator.check(password, [...words])
  const answer: RatingAnswer = {
    score,
    warning: feedback.warning,
    dictionaries: sequence.flatMap((match) =>
      'dictionaryName' in match ? [String(match.dictionaryName)] : [],
    ),
    pattern: patternOf(password, { common: COMMON_PASSWORDS, own: new Set(words) }),
  }
  parentPort?.postMessage(answer)
})
