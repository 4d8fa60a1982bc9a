import { testFamilies } from '#tests/attacks/attack-suite.ts'
import { UNSEEN_SIGNS } from '#tests/attacks/unseen-signs.ts'

testFamilies(UNSEEN_SIGNS)
