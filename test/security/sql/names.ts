const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Every table function of the engine. */
export const tableFunctions = words(`
  SQLStandardValues arrowstream azureBlobStorage azureBlobStorageCluster cluster clusterAllReplicas cosn deltaLake
  deltaLakeAzure deltaLakeAzureCluster deltaLakeCluster deltaLakeLocal deltaLakeS3 deltaLakeS3Cluster dictionary eval
  executable file fileCluster filesystem format fuzzJSON fuzzQuery gcs generateRandom generateSeries generate_series hdfs
  hdfsCluster hudi hudiCluster iceberg icebergAzure icebergAzureCluster icebergCluster icebergHDFS icebergHDFSCluster
  icebergLocal icebergLocalCluster icebergS3 icebergS3Cluster input jdbc loop merge mergeTreeAnalyzeIndexes
  mergeTreeAnalyzeIndexesUUID mergeTreeIndex mergeTreeProjection mergeTreeTextIndex mongodb mysql null numbers numbers_mt
  odbc oss paimon paimonAzure paimonAzureCluster paimonCluster paimonHDFS paimonHDFSCluster paimonLocal paimonS3
  paimonS3Cluster postgresql primes prometheusQuery prometheusQueryRange redis remote remoteSecure s3 s3Cluster sqlite
  timeSeriesData timeSeriesMetrics timeSeriesSamples timeSeriesSelector timeSeriesTags url urlCluster values view
  viewExplain viewIfPermitted ytsaurus zeros zeros_mt python Python`);

/** Tables of the engine and of the service that no question may name. */
export const hiddenTables = words(`
  system.tables system.columns system.events system.parts system.processes system.settings system.users system.databases
  system.functions system.named_collections system.clusters system.disks system.query_log system.one system.numbers
  system.zeros system.stack_trace system.server_settings system.symbols system.macros information_schema.tables
  INFORMATION_SCHEMA.COLUMNS kohort.events kohort.persons default.events "kohort"."events" _temporary_and_external_tables.x
  distinct_id_overrides cohort_members person_redirects redirects schema_migrations outbox users personal_api_keys
  projects person_count static_cohort_members events_stored persons_local raw_events raw_persons
  pg_catalog.pg_user sqlite_master`);

/**
 * Functions that read files, networks, settings, other tables or the state of the server, that burn time, that hold the
 * state of an aggregate, or that name an aggregate by a text.
 */
export const forbiddenFunctions = words(`
  file catboostEvaluate structureToCapnProtoSchema structureToProtobufSchema chdb aiClassify aiEmbed aiExtract aiGenerate
  aiTranslate getSetting getSettingOrDefault getServerSetting getMergeTreeSetting globalVariable getMacro hostName hostname
  FQDN fqdn fullHostName uptime version tcpPort getServerPort getOSKernelVersion buildId revision connectionId
  connection_id currentDatabase database currentSchemas current_schemas currentUser user current_user currentProfiles
  currentRoles enabledRoles enabledProfiles defaultRoles defaultProfiles authenticatedUser queryID query_id initialQueryID
  initial_query_id currentQueryID initialQueryStartTime serverUUID serverTimezone serverTimeZone shardNum shardCount
  showCertificate zookeeperSessionUptime transactionID transactionLatestSnapshot transactionOldestSnapshot
  filesystemAvailable filesystemCapacity filesystemUnreserved getClientHTTPHeader hasThreadFuzzer displayName
  getMaxTableNameLengthForDatabase blockNumber blockSize blockSerializedSize rowNumberInBlock rowNumberInAllBlocks
  runningAccumulate runningDifference runningDifferenceStartingWithFirstValue runningConcurrency neighbor errorCodeToName
  generateSerialID tid logTrace addressToLine addressToLineWithInlines addressToSymbol demangle isMergeTreePartCoveredBy
  mergeTreePartInfo partitionId joinGet joinGetOrNull dictGet dictGetOrDefault dictGetOrNull dictGetAll dictGetString
  dictGetUInt64 dictGetHierarchy dictGetChildren dictGetDescendants dictGetKeys dictGetRoot dictHas dictIsIn
  regionToName regionHierarchy regionIn regionToCity regionToCountry hasColumnInTable evalMLMethod naiveBayesClassifier
  naiveBayesClassifierWithProb __getScalar __actionName __applyFilter __scalarSubqueryResult __patchPartitionID
  __bitWrapperFunc sleep sleepEachRow throwIf initializeAggregation finalizeAggregation arrayReduce
  arrayReduceInRanges nowInBlock nowInBlock64  getTypeSerializationStreams
  dumpColumnStructure indexHint timeSeriesStoreTags timeSeriesIdToTags lowCardinalityIndices icebergTruncate
  globalIn globalNotIn inIgnoreSet globalNullIn aggThrow flameGraph sumState uniqState countState groupArrayState
  avgState quantileState sumMerge uniqMerge countMerge groupArrayMerge sumSimpleState anyMergeState
  stochasticLinearRegression stochasticLogisticRegression estimateCompressionRatio encrypt decrypt tryDecrypt
  aes_encrypt_mysql zookeeper getenv load_file pg_read_file xp_cmdshell pg_sleep benchmark load_extension`);

export const statements = words(`
  insert update delete drop create alter truncate rename attach detach optimize system kill grant revoke set use show
  describe explain exists check backup restore undrop exchange move watch begin commit rollback copy call execute prepare
  vacuum analyze values from select`);
