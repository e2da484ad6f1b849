package schema

// All returns the keys of all releases, table by table. The caller may keep the
// list; the keys are shared.
func All() []*Key {
	return []*Key{
		// the table crio
		Root.Key, RunRoot.Key, ImageStore.Key, StorageDriver.Key, StorageOption.Key, LogDir.Key, VersionFile.Key,
		VersionFilePersist.Key, CleanShutdownFile.Key, InternalWipe.Key, InternalRepair.Key, FileLocking.Key,
		FileLockingPath.Key,
		// crio.api
		GRPCMaxSendMessageSize.Key, GRPCMaxRecvMessageSize.Key, Listen.Key, StreamAddress.Key, StreamPort.Key,
		StreamEnableTLS.Key, StreamTLSCert.Key, StreamTLSKey.Key, StreamTLSCA.Key, StreamIdleTimeout.Key,
		TLSMinVersion.Key, TLSCipherSuites.Key, HostIP.Key,
		// crio.runtime
		NoPivot.Key, SELinux.Key, LogToJournald.Key, DropInfraContainer.Key, ReadOnly.Key, ConmonEnv.Key,
		HooksDir.Key, DefaultCapabilities.Key, AddInheritableCapabilities.Key, DefaultEnv.Key,
		MinInjectedGOMAXPROCS.Key, DefaultSysctls.Key, DefaultUlimits.Key, AllowedDevices.Key,
		AdditionalDevices.Key, CDISpecDirs.Key, DeviceOwnershipFromSecurityContext.Key, DefaultRuntime.Key,
		DecryptionKeysPath.Key, AdditionalArtifactStores.Key, Conmon.Key, ConmonCgroup.Key, SeccompProfile.Key,
		PrivilegedSeccompProfile.Key, AppArmorProfile.Key, BlockIOConfigFile.Key, BlockIOReload.Key,
		IRQBalanceConfigFile.Key, RDTConfigFile.Key, CgroupManager.Key, DefaultMountsFile.Key,
		ContainerExitsDir.Key, ContainerAttachSocketDir.Key, BindMountPrefix.Key, UIDMappings.Key,
		MinimumMappableUID.Key, GIDMappings.Key, MinimumMappableGID.Key, LogLevel.Key, LogFilter.Key,
		NamespacesDir.Key, PinnsPath.Key, EnableCRIUSupport.Key, PIDsLimit.Key, LogSizeMax.Key,
		ContainerStopTimeout.Key, SeparatePullCgroup.Key, InfraContainerCPUSet.Key, SharedCPUSet.Key,
		AbsentMountSourcesToReject.Key, EnablePodEvents.Key, IRQBalanceConfigRestoreFile.Key,
		HostnetworkDisableSELinux.Key, DisableHostportMapping.Key, Timezone.Key, SeccompUseDefaultWhenEmpty.Key,
		ManageNamespaceLifecycle.Key, DefaultMounts.Key, ManageNetworkNamespaceLifecycle.Key,
		DefaultWorkloadTrust.Key, EnableSharedPIDNamespace.Key, HooksDirPath.Key, RuntimePath.Key,
		RuntimeUntrustedWorkload.Key,
		// crio.runtime.runtimes
		Runtimes, HandlerRuntimeConfigPath.Key, HandlerRuntimePath.Key, HandlerRuntimeType.Key,
		HandlerRuntimeRoot.Key, HandlerPrivilegedWithoutHostDevices.Key, HandlerAllowedAnnotations.Key,
		HandlerMonitorPath.Key, HandlerMonitorCgroup.Key, HandlerMonitorEnv.Key, HandlerMonitorExecCgroup.Key,
		HandlerRuntimePullImage.Key, HandlerContainerMinMemory.Key, HandlerNoSyncLog.Key,
		HandlerInheritDefaultRuntime.Key, HandlerStreamWebsockets.Key, HandlerExecCPUAffinity.Key,
		HandlerSeccompProfile.Key, HandlerContainerCreateTimeout.Key, HandlerDefaultAnnotations.Key,
		HandlerDisallowedAnnotations.Key, HandlerPlatformRuntimePaths.Key,
		// crio.runtime.workloads
		Workloads, WorkloadActivationAnnotation.Key, WorkloadAllowedAnnotations.Key,
		WorkloadAnnotationPrefix.Key, WorkloadDisallowedAnnotations.Key, WorkloadResources.Key,
		WorkloadCPULimit.Key, WorkloadCPUPeriod.Key, WorkloadCPUQuota.Key, WorkloadCPUSet.Key,
		WorkloadCPUShares.Key,
		// crio.runtime.hooks
		Hooks, HookAnnotations.Key, HookArguments.Key, HookCommands.Key, HookHasBindMounts.Key, HookHook.Key,
		HookStage.Key,
		// crio.image
		DefaultTransport.Key, GlobalAuthFile.Key, NamespacedAuthDir.Key, PauseImage.Key, PauseImageAuthFile.Key,
		PauseCommand.Key, PinnedImages.Key, SignaturePolicy.Key, SignaturePolicyDir.Key, InsecureRegistries.Key,
		ImageVolumes.Key, BigFilesTemporaryDir.Key, AutoReloadRegistries.Key, PullProgressTimeout.Key,
		OCIArtifactMountSupport.Key, ShortNameMode.Key, Registries.Key,
		// crio.network
		CNIDefaultNetwork.Key, NetworkDir.Key, PluginDirs.Key, CNIStatusGracePeriod.Key, PluginDir.Key,
		// crio.metrics
		EnableMetrics.Key, MetricsCollectors.Key, MetricsHost.Key, MetricsPort.Key, MetricsSocket.Key,
		MetricsCert.Key, MetricsKey.Key,
		// crio.tracing
		EnableTracing.Key, TracingEndpoint.Key, TracingSamplingRatePerMillion.Key,
		// crio.stats
		StatsCollectionPeriod.Key, CollectionPeriod.Key, IncludedPodMetrics.Key,
		// crio.nri
		EnableNRI.Key, NRIListen.Key, NRIPluginDir.Key, NRIPluginConfigDir.Key, NRIPluginRegistrationTimeout.Key,
		NRIPluginRequestTimeout.Key, NRIDisableConnections.Key, NRIEnableDefaultValidator.Key,
		NRIValidatorRejectOCIHookAdjustment.Key, NRIValidatorRejectRuntimeDefaultSeccompAdjustment.Key,
		NRIValidatorRejectUnconfinedSeccompAdjustment.Key, NRIValidatorRejectCustomSeccompAdjustment.Key,
		NRIValidatorRejectNamespaceAdjustment.Key, NRIValidatorRequiredPlugins.Key,
		NRIValidatorTolerateMissingPluginsAnnotation.Key, NRIConfigFile.Key,
	}
}
