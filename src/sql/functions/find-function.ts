import { nearestName } from '../../platform/errors/nearest-name.js';
import { aggregateFunctions, scalarFunctions, windowFunctions } from './allowed-functions.js';

const names = (text: string): readonly string[] => text.trim().split(/\s+/);

/** The functions of the engine that no question may use, by reason. */
export const refusedFunctions: Readonly<Record<string, readonly string[]>> = {
  /** They read dictionaries. */
  dictionaries: names(`
    dictGet dictGetAll dictGetChildren dictGetDate dictGetDateOrDefault dictGetDateTime dictGetDateTimeOrDefault
    dictGetDescendants dictGetFloat32 dictGetFloat32OrDefault dictGetFloat64 dictGetFloat64OrDefault
    dictGetHierarchy dictGetInt16 dictGetInt16OrDefault dictGetInt32 dictGetInt32OrDefault dictGetInt64
    dictGetInt64OrDefault dictGetInt8 dictGetInt8OrDefault dictGetIPv4 dictGetIPv4OrDefault dictGetIPv6
    dictGetIPv6OrDefault dictGetKeys dictGetOrDefault dictGetOrNull dictGetRoot dictGetString dictGetStringOrDefault
    dictGetUInt16 dictGetUInt16OrDefault dictGetUInt32 dictGetUInt32OrDefault dictGetUInt64 dictGetUInt64OrDefault
    dictGetUInt8 dictGetUInt8OrDefault dictGetUUID dictGetUUIDOrDefault dictHas dictIsIn regionHierarchy regionIn
    regionToArea regionToCity regionToContinent regionToCountry regionToDistrict regionToName regionToPopulation
    regionToTopContinent
  `),
  /** They read files, or run models from files. */
  files: names(`
    catboostEvaluate file filesystemAvailable filesystemCapacity filesystemUnreserved formatRow formatRowNoNewline
    structureToCapnProtoSchema structureToProtobufSchema
  `),
  /** They take much time for shapes and maps, which events do not have. */
  geometry: names(`
    areaCartesian areaSpherical geometryIntersectCartesian geometryIntersectSpherical geoToH3 geoToMGRS geoToUTM
    h3CellAreaM2 h3CellAreaRads2 h3Distance h3EdgeAngle h3EdgeLengthKm h3EdgeLengthM h3ExactEdgeLengthKm
    h3ExactEdgeLengthM h3ExactEdgeLengthRads h3GetBaseCell h3GetDestinationIndexFromUnidirectionalEdge h3GetFaces
    h3GetIndexesFromUnidirectionalEdge h3GetOriginIndexFromUnidirectionalEdge h3GetPentagonIndexes h3GetRes0Indexes
    h3GetResolution h3GetUnidirectionalEdge h3GetUnidirectionalEdgeBoundary h3GetUnidirectionalEdgesFromHexagon
    h3HexAreaKm2 h3HexAreaM2 h3HexRing h3IndexesAreNeighbors h3IsPentagon h3IsResClassIII h3IsValid h3kRing h3Line
    h3NumHexagons h3PointDistKm h3PointDistM h3PointDistRads h3PolygonToCells h3PolygonToCellsWithContainment
    h3ToCenterChild h3ToChildren h3ToGeo h3ToGeoBoundary h3ToParent h3ToString h3UnidirectionalEdgeIsValid MGRSToGeo
    MVTBoundingBox MVTBoundingBoxMercator MVTEncode MVTEncodeGeom perimeterCartesian perimeterSpherical
    polygonAreaCartesian polygonAreaSpherical polygonConvexHullCartesian polygonPerimeterCartesian
    polygonPerimeterSpherical polygonsDistanceCartesian polygonsDistanceSpherical polygonsEqualsCartesian
    polygonsIntersectCartesian polygonsIntersectionCartesian polygonsIntersectionSpherical
    polygonsIntersectSpherical polygonsSymDifferenceCartesian polygonsSymDifferenceSpherical polygonsUnionCartesian
    polygonsUnionSpherical polygonsWithinCartesian polygonsWithinSpherical readWKB readWkb readWKBLineString
    readWKBMultiLineString readWKBMultiPolygon readWKBPoint readWKBPolygon readWKT readWkt readWKTLineString
    readWKTMultiLineString readWKTMultiPolygon readWKTPoint readWKTPolygon readWKTRing ST_AsMVT ST_AsMVTGeom
    ST_LineFromWKB ST_MLineFromWKB ST_MPolyFromWKB ST_PointFromWKB ST_PolyFromWKB stringToH3 svg SVG UTMToGeo wkb
    WKB wkt WKT
  `),
  /** They are for the engine's own use. */
  internals: names(`
    __actionName __applyFilter __bitBoolMaskAnd __bitBoolMaskOr __bitSwapLastTwo __bitWrapperFunc __getScalar
    __patchPartitionID __scalarSubqueryResult __toYearCalendarOnly _CAST caseWithExpr caseWithExpression
  `),
  /** They take keys, which would be logged. */
  keys: names(`
    aes_decrypt_mysql aes_encrypt_mysql decrypt encrypt HMAC tryDecrypt
  `),
  /** They are about series of metrics in tables of their own. */
  metrics: names(`
    seriesDecomposeSTL seriesOutliersDetectTukey timeSeriesChangesToGrid timeSeriesCopyTag timeSeriesCopyTags
    timeSeriesDeltaToGrid timeSeriesDerivToGrid timeSeriesExtractTag timeSeriesFromGrid timeSeriesGroupArray
    timeSeriesGroupToSamplingKey timeSeriesGroupToTags timeSeriesIdToGroup timeSeriesIdToTags
    timeSeriesIdToTagsGroup timeSeriesIncreaseToGrid timeSeriesInstantDeltaToGrid timeSeriesInstantRateToGrid
    timeSeriesJoinTags timeSeriesLastToGrid timeSeriesLastTwoSamples timeSeriesPredictLinearToGrid timeSeriesRange
    timeSeriesRateToGrid timeSeriesRemoveAllTagsExcept timeSeriesRemoveTag timeSeriesRemoveTags timeSeriesReplaceTag
    timeSeriesResampleToGridWithStaleness timeSeriesResetsToGrid timeSeriesStoreTags timeSeriesTagsGroupToTags
    timeSeriesTagsToGroup timeSeriesThrowDuplicateSeriesIf
  `),
  /** They run models. */
  models: names(`
    evalMLMethod naiveBayesClassifier naiveBayesClassifierWithAllProbs naiveBayesClassifierWithProb
    stochasticLinearRegression stochasticLogisticRegression
  `),
  /** They send data to other servers. */
  networks: names(`
    aiClassify AIClassify aiEmbed aiExtract AIExtract aiGenerate AIGenerate aiTranslate AITranslate
  `),
  /** They make structures at random. */
  random: names(`
    fuzzBits generateRandomStructure
  `),
  /** They tell about the server, its settings and the statement. */
  server: names(`
    addressToLine addressToLineWithInlines addressToSymbol authenticatedUser authUser blockNumber
    blockSerializedSize blockSize buildId chdb connection_id connectionId current_database current_query_id
    current_schemas current_user currentDatabase currentProfiles currentQueryID currentRoles currentSchemas
    currentUser DATABASE defaultProfiles defaultRoles demangle displayName dumpColumnStructure enabledProfiles
    enabledRoles errorCodeToName estimateCompressionRatio flameGraph formatQuery formatQueryOrNull
    formatQuerySingleLine formatQuerySingleLineOrNull FQDN fullHostName fuzzQuery generateSerialID generateSnowflakeID
    getClientHTTPHeader getMacro getMaxTableNameLengthForDatabase getMergeTreeSetting getOSKernelVersion
    getServerPort getServerSetting getSetting getSettingOrDefault getTypeSerializationStreams globalVariable
    hasColumnInTable hasThreadFuzzer highlightQuery hostName hostname icebergBucket icebergHash icebergTruncate
    indexHint initial_query_id initial_query_start_time initialQueryID initialQueryStartTime
    isMergeTreePartCoveredBy logTrace lowCardinalityIndices lowCardinalityKeys mergeTreePartInfo normalizedQueryHash
    normalizedQueryHashKeepNames normalizeQuery normalizeQueryKeepNames nowInBlock nowInBlock64 obfuscateQuery
    obfuscateQueryWithSeed partitionId partitionID query_id queryID revision rowNumberInAllBlocks rowNumberInBlock
    runningConcurrency SCHEMA serverTimezone serverTimeZone serverUUID session_user shardCount shardNum
    showCertificate tcpPort tid toColumnTypeName tokenizeQuery transactionID transactionLatestSnapshot
    transactionOldestSnapshot uptime user version zookeeperSessionUptime
  `),
  /** They are about states of aggregates, columns as they are stored, and what depends on blocks of rows. */
  states: names(`
    arrayReduce arrayReduceInRanges bitmapAnd bitmapAndCardinality bitmapAndnot bitmapAndnotCardinality bitmapBuild
    bitmapCardinality bitmapContains bitmapHasAll bitmapHasAny bitmapMax bitmapMin bitmapOr bitmapOrCardinality
    bitmapSubsetInRange bitmapSubsetLimit bitmapToArray bitmapTransform bitmapXor bitmapXorCardinality
    cosineDistanceTransposed cosineDistanceTransposedQuantized defaultValueOfArgumentType defaultValueOfTypeName
    dequantizeInt8ToBFloat16 distanceCosineTransposed distanceL2Transposed distinctDynamicTypes distinctJSONPaths
    distinctJSONPathsAndTypes dotProductTransposed dotProductTransposedQuantized dynamicElement dynamicType
    finalizeAggregation flipCoordinates getSizeOfEnumType getSubcolumn groupBitmap groupBitmapAnd groupBitmapOr
    groupBitmapXor groupFormat groupNumericIndexedVector ignore initializeAggregation isDynamicElementInSharedData
    JSONAllPaths JSONAllPathsWithTypes JSONAllValues JSONDynamicPaths JSONDynamicPathsWithTypes JSONSharedDataPaths
    JSONSharedDataPathsWithTypes L2DistanceTransposed L2DistanceTransposedQuantized neighbor nested nothing
    nothingNull nothingUInt64 numericIndexedVectorAllValueSum numericIndexedVectorBuild
    numericIndexedVectorCardinality numericIndexedVectorGetValue numericIndexedVectorPointwiseAdd
    numericIndexedVectorPointwiseDivide numericIndexedVectorPointwiseEqual numericIndexedVectorPointwiseGreater
    numericIndexedVectorPointwiseGreaterEqual numericIndexedVectorPointwiseLess
    numericIndexedVectorPointwiseLessEqual numericIndexedVectorPointwiseMultiply
    numericIndexedVectorPointwiseNotEqual numericIndexedVectorPointwiseSubtract numericIndexedVectorShortDebugString
    numericIndexedVectorToMap quantizeBFloat16ToInt8 randomHadamardTransform runningAccumulate runningDifference
    runningDifferenceStartingWithFirstValue scalarProductTransposed subBitmap validateNestedArraySizes
    variantElement variantType visibleWidth
  `),
  /** They read other tables; IN is an operator. */
  tables: names(`
    globalIn globalInIgnoreSet globalNotIn globalNotInIgnoreSet globalNotNullIn globalNotNullInIgnoreSet
    globalNullIn globalNullInIgnoreSet in inIgnoreSet joinGet joinGetOrNull notIn notInIgnoreSet notNullIn
    notNullInIgnoreSet nullIn nullInIgnoreSet
  `),
  /** They only use time, or fail on purpose. */
  time: names(`
    aggThrow sleep sleepEachRow throwIf
  `),
};

export interface EngineFunction {
  /** The name as the engine writes it. */
  readonly name: string;
  /** `window` functions need OVER; `aggregate` functions may have it. */
  readonly kind: 'scalar' | 'aggregate' | 'window';
}

/** Endings that change an aggregate, such as `sumIf`. `State` is missing, because states of aggregates cannot be answers. */
export const combinators = ['If', 'Array', 'Distinct', 'OrNull', 'OrDefault', 'ForEach', 'Map'] as const;

const known = new Map<string, EngineFunction>();
const add = (name: string, kind: EngineFunction['kind']): void => {
  known.set(name.toLowerCase(), { name, kind });
};
for (const names of Object.values(scalarFunctions)) for (const name of names) add(name, 'scalar');
for (const name of aggregateFunctions) add(name, 'aggregate');
for (const name of windowFunctions) add(name, 'window');

const refused = new Set(Object.values(refusedFunctions).flatMap((names) => names.map((name) => name.toLowerCase())));

export const allFunctions = (): readonly EngineFunction[] => [...known.values()];

/** Finds the function of a name, in upper or lower case and with combinators. */
export const findFunction = (name: string): EngineFunction | null => {
  const found = known.get(name.toLowerCase());
  if (found) return found;
  let rest = name;
  let endings = '';
  for (let changed = true; changed;) {
    changed = false;
    for (const combinator of combinators) {
      if (rest.length <= combinator.length || !rest.toLowerCase().endsWith(combinator.toLowerCase())) continue;
      rest = rest.slice(0, -combinator.length);
      endings = combinator + endings;
      const base = known.get(rest.toLowerCase());
      if (base?.kind === 'aggregate') return { name: base.name + endings, kind: 'aggregate' };
      changed = true;
      break;
    }
  }
  return null;
};

/** Names in other databases and abbreviations, which share too few letters with the name of the function here. */
const otherNames: Readonly<Record<string, string>> = { cnt: 'count', mean: 'avg', average: 'avg' };

/** Explains why there is no function of this name, and suggests the function that was probably meant. */
export const whyNoFunction = (name: string, others: readonly string[]): string => {
  if (refused.has(name.toLowerCase())) return `The function ${name} is not allowed here`;
  const candidates = [...others, ...[...known.values()].map((one) => one.name)];
  const usual = Object.hasOwn(otherNames, name.toLowerCase()) ? otherNames[name.toLowerCase()] : undefined;
  const nearest =
    usual ??
    nearestName(
      name,
      candidates.map((one) => one.toLowerCase()),
    );
  const exact = candidates.find((one) => one.toLowerCase() === nearest);
  return `There is no function ${name}${exact === undefined ? ': GET query/schema lists the functions' : `: did you mean ${exact}?`}`;
};
