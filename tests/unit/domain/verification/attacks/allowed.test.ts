import { ALLOWED } from '#tests/attacks/allowed.ts'
import { testFamilies } from '#tests/attacks/attack-suite.ts'

testFamilies([...ALLOWED])
