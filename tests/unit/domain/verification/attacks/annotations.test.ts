import { ANNOTATIONS } from '#tests/attacks/annotations.ts'
import { testFamilies } from '#tests/attacks/attack-suite.ts'

testFamilies([...ANNOTATIONS])
