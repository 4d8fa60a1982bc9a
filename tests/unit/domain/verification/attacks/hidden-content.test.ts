import { testFamilies } from '#tests/attacks/attack-suite.ts'
import { COVERED_LINES, HIDDEN_CONTENT } from '#tests/attacks/hidden-content.ts'

testFamilies([...HIDDEN_CONTENT, COVERED_LINES])
