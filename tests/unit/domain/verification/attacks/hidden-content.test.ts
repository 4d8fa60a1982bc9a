import { testFamilies } from '#tests/attacks/attack-suite.ts'
import { HIDDEN_CONTENT } from '#tests/attacks/hidden-content.ts'

testFamilies(HIDDEN_CONTENT)
