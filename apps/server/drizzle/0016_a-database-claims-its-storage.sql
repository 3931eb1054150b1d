CREATE TABLE "claimed_storage" (
	"is_claimed" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"id" uuid NOT NULL,
	"date_created" timestamp with time zone DEFAULT now() NOT NULL
);
